"""Drives Debian's Chromium without a head, by its own protocol over a pipe: no driver, no port."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Failure(Exception):
    pass


class Browser:
    def __init__(self, timeout=180):
        self.timeout = timeout
        self.folder = tempfile.TemporaryDirectory(prefix="tutti-chromium-", ignore_cleanup_errors=True)
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()
        os.set_inheritable(to_read, True)
        os.set_inheritable(to_write, True)
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-extensions", "--disable-crash-reporter", "--hide-scrollbars", "--force-color-profile=srgb", "--disable-background-networking",
                   "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"]
        # It wants the pipes as 3 and 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec 3<&{to_read} 4>&{to_write}; exec "$@"', "sh", find(), *options],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.folder.name), start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.number, self.rest, self.events = 0, b"", []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (Failure, OSError):
            pass
        os.close(self.out)
        os.close(self.into)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def receive(self, until):
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.into], [], [], left)[0]:
                raise Failure("Chromium does not answer")
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise Failure("Chromium has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + self.timeout
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def page(self, width=1280, height=900, dark=False):
        return Page(self, width, height, dark)


class Page:
    def __init__(self, browser, width, height, dark):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size(width, height)
        self.theme(dark)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, dark):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        """Seconds until the page is loaded and has drawn once."""
        begin = time.monotonic()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while self.run("document.readyState") != "complete" or not self.run("!!document.querySelector('main')"):
            if time.monotonic() > begin + self.browser.timeout:
                raise Failure("the page does not open")
            time.sleep(0.01)
        self.settle()
        return time.monotonic() - begin

    def settle(self):
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))")

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failure(f"{expression[:100]}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def errors(self):
        """What the page complained of, and what it wanted from the network."""
        found = []
        self.run("1")
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, parameters = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"])[:400])
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(json.dumps(parameters["args"])[:400])
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "data:", "about:")):
                found.append("a request to " + parameters["request"]["url"])
        return found

    def middle(self, selector):
        box = self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;
            e.scrollIntoView({{block: "center", behavior: "instant"}}); const b = e.getBoundingClientRect();
            return [b.left + b.width / 2, b.top + b.height / 2]; }})()""")
        if box is None:
            raise Failure(f"nothing is {selector}")
        return box

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        x, y = self.middle(selector)
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.settle()

    def point(self, selector, x=0.5, y=0.5):
        """Points at a share of an element's width and height."""
        box = self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center", behavior: "instant"}}); const b = e.getBoundingClientRect();
            return [b.left + b.width * {x}, b.top + b.height * {y}]; }})()""")
        for x in (box[0] - 1, box[0]):  # nobody's mouse jumps
            self.mouse("mouseMoved", x, box[1])
            self.settle()

    KEYS = {"Enter": 13, " ": 32, "Tab": 9, "Home": 36, "End": 35, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
            "ArrowDown": 40}

    def key(self, name, times=1):
        for _ in range(times):
            more = {"text": "\r"} if name == "Enter" else {"text": " "} if name == " " else {}
            code = "Space" if name == " " else name
            self.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=code,
                      windowsVirtualKeyCode=self.KEYS[name], **more)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=code, windowsVirtualKeyCode=self.KEYS[name])
        self.settle()

    def focus(self, selector):
        if not self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return false;
                e.focus(); return document.activeElement === e; }})()"""):
            raise Failure(f"{selector} cannot have the focus")

    def picture(self, path, of="body", most=None):
        """Of an element, at most so high."""
        self.run("window.scrollTo({top: 0, behavior: 'instant'})")
        self.settle()
        x, y, width, height = self.run(f"""(() => {{ const box = document.querySelector({json.dumps(of)}).getBoundingClientRect();
            return [box.x, box.y, box.width, box.height]; }})()""")
        clip = {"x": x, "y": y, "width": width, "height": min(height, most or 12000), "scale": 1}
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]))

    def paper(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=False)["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
