// Bundles src/ into one page that needs nothing else: dist/report.html.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";

const bundle = async (entry) => {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
  });
  return result.outputFiles[0].text.trim();
};

const [script, style, template] = await Promise.all([
  bundle("src/main.ts"),
  bundle("src/style.css"),
  readFile("src/page.html", "utf8"),
]);
// What the page holds must not end the element it stands in.
const page = template
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script.replaceAll("</script", "<\\/script"));
await mkdir("dist", { recursive: true });
await writeFile("dist/report.html", page);
console.log(`dist/report.html: ${page.length} characters`);
