/** Command names by set: a pattern of a hundred alternatives costs a hook more to compile than all that is asked of it. */
export const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));
