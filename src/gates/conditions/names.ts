/** One name or a list of names, as `after` and `check` take them; null where it is neither. */
export function nameList(value: unknown): string[] | null {
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || list.length === 0) return null;
  return list.every(item => typeof item === 'string' && item !== '') ? [...new Set(list as string[])] : null;
}

export function known(names: Iterable<string>): string {
  return [...names].join(', ') || 'there are none';
}
