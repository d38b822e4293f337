export type ClaimKind = 'tests' | 'build' | 'types' | 'lint' | 'verified' | 'done' | 'fixed' | 'deployed';

export type Claim = { kind: ClaimKind; text: string; start: number };

export type ClaimReading = { asserts: boolean; claims: Claim[] };

/** A stretch of the message, as a half-open range of UTF-16 offsets. */
export type Span = { start: number; end: number };

export type Found = Span & { kind: ClaimKind };

/**
 * One token. `tag` is a single letter (see lexicon.ts), so that a sentence becomes a short string of letters
 * on which the grammar runs; `kind` is known for words and commands that name a check.
 */
export type Token = Span & { tag: string; word: string; kind?: ClaimKind };
