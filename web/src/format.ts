// Numbers as `tutti bench` prints them.

export function formatTime(us: number): string {
  const places = (value: number) => value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  if (us < 999.5) return `${us.toFixed(places(us))} µs`;
  if (us < 999.5e3) return `${(us / 1e3).toFixed(places(us / 1e3))} ms`;
  return `${(us / 1e6).toFixed(places(us / 1e6))} s`;
}
export function formatBytes(bytes: number): string {
  for (const [unit, name] of [[2 ** 30, "G"], [2 ** 20, "M"], [2 ** 10, "K"]] as const)
    if (bytes >= unit && bytes % unit === 0) return `${bytes / unit}${name}`;
  return String(bytes);
}
export function formatRatio(value: number): string {
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}
export const formatRange = (median: [number, number, number], format: (value: number) => string) =>
  `${format(median[1])} – ${format(median[2])}`;
