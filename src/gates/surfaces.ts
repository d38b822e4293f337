/** Which files a gate's evidence is about: runtime, test and docs by globs, and what the feature itself changed. */
import { matchAny } from '../config/glob.ts';
import { isRecord } from '../config/project.ts';

export const BUILT_IN = ['feature-runtime', 'feature-codetest', 'all-runtime', 'any-codetest'] as const;
export const CLASSES = ['runtime', 'test', 'docs'] as const;

const TEST = ['**/*.test.*', '**/*.spec.*', '**/*_test.*', '**/test_*.*', '**/{test,tests,__tests__}/**'];
const DOCS = ['docs/**', '**/*.{md,mdx,rst,adoc}', '**/{README,CHANGELOG,LICENSE,LICENCE,NOTICE,AUTHORS}*'];

export type Surfaces = {
  /** Null: what is neither test nor docs. */
  runtime: string[] | null;
  test: string[];
  docs: string[];
  own: ReadonlyMap<string, string[]>;
};

type Fault = { path: string; message: string; cure?: string };

export function readSurfaces(value: unknown, faults: Fault[]): Surfaces {
  const own = new Map<string, string[]>();
  if (value !== undefined && !isRecord(value))
    faults.push({ path: 'surfaces', message: 'is not an object', cure: 'write "surfaces": { "runtime": ["src/**"] }' });
  for (const [name, globs] of isRecord(value) ? Object.entries(value) : []) {
    const path = `surfaces.${name}`;
    if ((BUILT_IN as readonly string[]).includes(name)) {
      faults.push({
        path,
        message: 'is a built-in surface',
        cure: 'set runtime, test and docs, or choose another name',
      });
    } else if (!Array.isArray(globs) || globs.length === 0 || globs.some(g => typeof g !== 'string' || g === '')) {
      faults.push({ path, message: 'is not a list of globs', cure: 'write ["src/**"]' });
    } else if (globs.some((g: string) => g.startsWith('/') || g.split('/').includes('..'))) {
      faults.push({ path, message: 'has a glob that leaves the project', cure: 'write globs from the project root' });
    } else own.set(name, globs as string[]);
  }
  return {
    runtime: own.get('runtime') ?? null,
    test: own.get('test') ?? TEST,
    docs: own.get('docs') ?? DOCS,
    own,
  };
}

type Kind = 'test' | 'runtime' | 'docs' | 'other';

/** A test's own documents are test data; a document named as runtime is runtime. */
function kindOf(path: string, surfaces: Surfaces): Kind {
  if (matchAny(surfaces.test, path) !== null) return 'test';
  if (surfaces.runtime !== null && matchAny(surfaces.runtime, path) !== null) return 'runtime';
  if (matchAny(surfaces.docs, path) !== null) return 'docs';
  return surfaces.runtime === null ? 'runtime' : 'other';
}

/** Changed paths that lie in a surface. `feature`: what changed since the default branch, null where that is unknown. */
export function inSurface(
  surface: string,
  changed: readonly string[],
  surfaces: Surfaces,
  feature: () => readonly string[] | null,
): string[] {
  const kind = (path: string): Kind => kindOf(path, surfaces);
  const ofFeature = (paths: string[]): string[] => {
    const own = paths.length > 0 ? feature() : null;
    return own === null ? paths : paths.filter(path => own.includes(path));
  };
  switch (surface) {
    case 'any-codetest':
      return changed.filter(path => kind(path) !== 'docs');
    case 'all-runtime':
      return changed.filter(path => kind(path) === 'runtime');
    case 'runtime':
    case 'test':
    case 'docs':
      return changed.filter(path => kind(path) === surface);
    case 'feature-runtime':
      return ofFeature(changed.filter(path => kind(path) === 'runtime'));
    case 'feature-codetest':
      return ofFeature(changed.filter(path => kind(path) !== 'docs'));
    default: {
      const globs = surfaces.own.get(surface) ?? ['**'];
      return changed.filter(path => matchAny(globs, path) !== null);
    }
  }
}
