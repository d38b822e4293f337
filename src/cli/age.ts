/** How long ago an instant was, in the coarsest unit that still says something. */
export function age(iso: string, now = Date.now()): string {
  const s = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (Number.isNaN(s)) return 'unknown time';
  if (s < 90) return `${s}s`;
  if (s < 5400) return `${Math.round(s / 60)}m`;
  return s < 129_600 ? `${Math.round(s / 3600)}h` : `${Math.round(s / 86_400)}d`;
}
