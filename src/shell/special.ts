import { below } from './glob.ts';
import { ignores } from './left-out.ts';
import {
  type Call,
  copyScope,
  fileText,
  type Machine,
  nothing,
  path,
  type Text,
  textAsOfNow,
  touch,
  unknown,
} from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { parseArgs } from './operands.ts';
import { parallel, xargs } from './xargs.ts';

/** Commands that start others, or whose operands fit no row. */
export function special(m: Machine, name: string, args: string[], call: Call): Text | undefined {
  const { scope } = call;
  switch (name) {
    case 'xargs':
    case 'gxargs':
      return xargs(m, args, call);
    case 'parallel':
    case 'sem':
      return parallel(m, args, call);
    case 'watch':
    case 'hyperfine':
    case 'concurrently':
    case 'cross-env-shell':
    case 'nodemon':
    case 'entr': {
      const { operands } = parseArgs(args, {
        val:
          name === 'hyperfine'
            ? 'w m M r n p c i export-json warmup runs'
            : 'n interval w x e ext d watch names prefix',
      });
      const code = name === 'cross-env-shell' ? operands.filter(word => !/^\w+=\S*$/.test(word)) : operands;
      const texts =
        name === 'hyperfine' || name === 'concurrently'
          ? code
          : name === 'entr' || name === 'nodemon'
            ? []
            : [code.join(' ')];
      for (const text of texts) m.script(text, { ...call, scope: copyScope(scope) });
      if (texts.length === 0 && operands.length > 0) return m.start(operands, call);
      return unknown;
    }
    case 'at':
    case 'batch':
    case 'crontab': {
      const text = call.stdin();
      if (isKnown(text) && name !== 'crontab') m.script(text, { ...call, scope: copyScope(scope), stdin: nothing });
      return nothing;
    }
    case 'tmux': {
      const code = args.at(-1) ?? '';
      if (
        /^(?:new|new-session|new-window|neww|run|run-shell|split-window|splitw|send-keys|send)$/.test(args[0] ?? '') &&
        code.includes(' ')
      )
        m.script(code, { ...call, scope: copyScope(scope), stdin: nothing });
      return unknown;
    }
    case 'install':
      if (!/^-\w*d/.test(args[0] ?? '') && !args.includes('--directory')) return undefined;
      for (const dir of parseArgs(args, { val: 'm o g mode owner group' }).operands)
        touch(m, scope, 'create', dir, 'install -d');
      return nothing;
    case 'pee':
      for (const text of args) m.script(text, { ...call, scope: copyScope(scope) });
      return unknown;
    case 'dd': {
      for (const arg of args) if (arg.startsWith('of=')) touch(m, scope, 'write', arg.slice(3), 'dd');
      return unknown;
    }
    case 'ln': {
      const { flags, operands } = parseArgs(args, { val: 'S suffix', dir: 't target-directory' });
      const into = (flags.get('t') ?? flags.get('target-directory'))?.[0];
      const sources = into === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
      const dest = into ?? (operands.length > 1 ? operands.at(-1)! : '.');
      for (const source of sources) {
        const at = path(m, scope, dest);
        const flat = ['n', 'T', 'no-dereference', 'no-target-directory'].some(flag => flags.has(flag));
        const inside = isKnown(at) && m.tree.isDirectory(at) && !flat;
        const word =
          inside || into !== undefined
            ? `${dest.replace(/\/$/, '')}/${source.replace(/\/+$/, '').replace(/^.*\//, '')}`
            : dest;
        touch(m, scope, 'link', word, 'ln');
        const link = path(m, scope, word);
        const base =
          ['s', 'symbolic'].some(flag => flags.has(flag)) && !source.startsWith('/')
            ? { ...scope, cwd: [link.replace(/\/[^/]*$/, '') || '/'] }
            : scope;
        const to = path(m, base, source);
        if (isKnown(link) && isKnown(to) && m.links.size < 64) m.links.set(link, to);
      }
      return nothing;
    }
    case 'zip': {
      const { flags, operands } = parseArgs(args, { val: 'x i P b t' });
      if (operands[0]) touch(m, scope, 'write', /\.\w+$/.test(operands[0]) ? operands[0] : `${operands[0]}.zip`, 'zip');
      if (flags.has('m') || flags.has('move'))
        for (const file of operands.slice(1)) touch(m, scope, 'delete', file, 'zip -m', { deep: true });
      return nothing;
    }
    case 'rsync':
      rsync(m, args, call);
      return unknown;
    case 'sqlite3': {
      const text = [...args, isKnown(call.stdin()) ? call.stdin() : ''].join('\n');
      for (const found of text.matchAll(/\.(?:output|once|backup|save|clone|excel)\s+(?:main\s+)?["']?([^\s"']+)/g))
        touch(m, scope, 'write', found[1]!, 'sqlite3');
      for (const found of text.matchAll(/writefile\(\s*'([^']+)'/gi)) touch(m, scope, 'write', found[1]!, 'sqlite3');
      for (const found of text.matchAll(/\.(?:shell|system)\s+(.+)/g))
        m.script(found[1]!, { ...call, scope: copyScope(scope) });
      const file = args.find((arg, i) => !arg.startsWith('-') && !/^-(?:cmd|init|separator)$/.test(args[i - 1] ?? ''));
      if (file && file !== ':memory:' && /\b(?:insert|update|delete|create|drop|alter|replace|vacuum)\b/i.test(text))
        touch(m, scope, 'write', file, 'sqlite3');
      return unknown;
    }
    case 'gzip':
    case 'bzip2':
    case 'xz':
    case 'zstd': {
      // The compressed file beside the original.
      const { operands, flags } = parseArgs(args, { val: 'S suffix o' });
      if (!['c', 'stdout', 'l', 't', 'd', 'test', 'list', 'decompress'].some(flag => flags.has(flag)))
        for (const file of operands)
          touch(m, scope, 'create', `${file}.${{ gzip: 'gz', bzip2: 'bz2', xz: 'xz', zstd: 'zst' }[name]}`, name);
      return undefined;
    }
    case 'mktemp': {
      const { flags, operands } = parseArgs(args, { val: 'p suffix', glued: 'tmpdir' });
      const dir = flags.get('p')?.[0] ?? flags.get('tmpdir')?.[0];
      const template = operands[0];
      if (!flags.has('u')) {
        const name = (template ?? 'tmp.XXX').replace(/X{3,}/, UNKNOWN);
        if (dir) touch(m, scope, 'create', `${dir}/${name}`, 'mktemp');
        else if (template && !flags.has('t')) touch(m, scope, 'create', name, 'mktemp');
      }
      return undefined;
    }
    case 'split':
    case 'csplit': {
      const { flags, operands } = parseArgs(args, {
        val: 'l b n a C f lines bytes number suffix-length filter prefix',
      });
      const prefix = name === 'split' ? operands[1] : (flags.get('f') ?? flags.get('prefix'))?.[0];
      touch(m, scope, 'create', `${prefix ?? (name === 'split' ? 'x' : 'xx')}${UNKNOWN}`, name);
      return unknown;
    }
    case 'curl':
    case 'wget': {
      const { flags, operands } = parseArgs(args, {
        val: 'o output O output-document D dump-header c cookie-jar d H X u A b F T e m P directory-prefix output-dir data header request user url retry max-time proxy data-raw data-binary U t a'.replace(
          name === 'curl' ? ' O ' : ' c ',
          ' ',
        ),
      });
      const dir = (flags.get('output-dir') ?? flags.get('P') ?? flags.get('directory-prefix'))?.[0];
      const remote =
        name === 'curl'
          ? ['O', 'remote-name', 'remote-name-all'].some(flag => flags.has(flag))
          : !flags.has('O') && !flags.has('output-document') && !flags.has('spider');
      for (const url of remote ? [...operands, ...(flags.get('url') ?? [])] : []) {
        const file =
          url
            .replace(/[?#].*$/, '')
            .replace(/\/$/, '')
            .replace(/^.*\//, '') || 'index.html';
        touch(m, scope, 'write', `${dir ? `${dir}/` : ''}${file}`, name);
      }
      for (const file of dir && name === 'curl' ? (flags.get('o') ?? flags.get('output') ?? []) : [])
        touch(m, scope, 'write', `${dir}/${file}`, name);
      const from = operands.find(url => url.startsWith('file://'));
      if (from && !remote && !flags.has('o') && !flags.has('output')) {
        const text = textAsOfNow(m, from.slice(7));
        applyOut(m, name, flags, call);
        return () => text() ?? UNKNOWN;
      }
      return undefined;
    }
    case 'tsc': {
      const { flags, operands } = parseArgs(args, {
        val: 'p project outDir outFile target t module m declarationDir lib',
      });
      const quiet = ['noEmit', 'outDir', 'outFile', 'p', 'project', 'b', 'build'].some(flag => flags.has(flag));
      for (const file of quiet ? [] : operands) touch(m, scope, 'write', file.replace(/\.[cm]?tsx?$/, '.js'), 'tsc');
      return undefined;
    }
    case 'cpio':
      if (args.some(arg => /^-\w*[pi]/.test(arg) || arg === '--extract' || arg === '--pass-through')) {
        const dest = args.filter(arg => !arg.startsWith('-')).at(-1) ?? '.';
        const list = call.stdin();
        for (const file of isKnown(list) ? list.split(/[\n\0]/).filter(Boolean) : [])
          touch(m, scope, 'write', `${args.some(arg => /^-\w*p/.test(arg)) ? dest : '.'}/${file}`, 'cpio');
      }
      return unknown;
    case 'pax':
      if (args.some(arg => /^-\w*r/.test(arg)) && args.some(arg => /^-\w*w/.test(arg))) {
        const operands = args.filter(arg => !arg.startsWith('-'));
        const dest = operands.at(-1) ?? '.';
        for (const source of operands.slice(0, -1)) {
          const at = path(m, scope, source);
          for (const file of [at, ...(isKnown(at) ? (below(m.tree, at, 1000) ?? []) : [])])
            touch(m, scope, 'write', `${dest}/${source}${file.slice(at.length)}`, 'pax');
        }
      }
      return unknown;
    case 'claude':
      return unknown;
    default:
      return undefined;
  }
}

function applyOut(m: Machine, via: string, flags: Map<string, string[]>, call: Call): void {
  for (const flag of ['D', 'dump-header', 'c', 'cookie-jar'])
    for (const file of flags.get(flag) ?? []) touch(m, call.scope, 'write', file, via);
}

function rsync(m: Machine, args: string[], call: Call): void {
  const { flags, operands } = parseArgs(args, {
    val: 'e f B T M rsh exclude include filter files-from exclude-from include-from chmod chown log-file backup-dir suffix password-file rsync-path link-dest out-format bwlimit partial-dir temp-dir info',
  });
  if (['n', 'dry-run', 'list-only'].some(flag => flags.has(flag))) return;
  for (const flag of ['log-file', 'backup-dir', 'partial-dir'])
    for (const file of flags.get(flag) ?? []) touch(m, call.scope, 'write', file, 'rsync', { deep: true });
  const dest = operands.at(-1);
  if (operands.length < 2 || dest === undefined || /^[\w.@-]+:/.test(dest)) return;
  const { scope } = call;
  const listed = (flags.get('exclude-from') ?? []).flatMap(
    file => fileText(m, path(m, scope, file))?.split('\n') ?? [],
  );
  const leave = [...(flags.get('exclude') ?? []), ...listed.filter(Boolean)].map(ignores);
  for (const source of operands.slice(0, -1)) {
    if (flags.has('remove-source-files')) touch(m, scope, 'delete', source, 'rsync', { deep: true });
    const at = path(m, scope, source);
    const isDir = isKnown(at) && m.tree.isDirectory(at);
    const name = source.endsWith('/') ? '' : `/${source.replace(/^.*\//, '')}`;
    const list = flags.get('files-from')?.[0];
    const given = list === undefined ? undefined : list === '-' ? call.stdin() : fileText(m, path(m, scope, list));
    if (given !== undefined && given !== null && isKnown(given)) {
      for (const file of given.split(/[\n\0]/).filter(Boolean)) touch(m, scope, 'write', `${dest}/${file}`, 'rsync');
    } else if (isDir) {
      const inside = below(m.tree, at, 1000);
      for (const file of inside ?? [])
        if (!leave.some(test => test(file.slice(at.length + 1))))
          touch(m, scope, 'write', dest.replace(/\/$/, '') + name + file.slice(at.length), 'rsync', {
            content: () => fileText(m, file) ?? undefined,
          });
      if (inside === null) touch(m, scope, 'write', dest.replace(/\/$/, '') + name, 'rsync', { deep: true });
    } else {
      const target = path(m, scope, dest);
      const dir = dest.endsWith('/') || (isKnown(target) && m.tree.isDirectory(target));
      touch(m, scope, 'write', dir ? `${dest.replace(/\/$/, '')}${name}` : dest, 'rsync');
    }
    if ([...flags.keys()].some(flag => flag.startsWith('del'))) {
      const target = dest.replace(/\/$/, '') + name || dest;
      touch(m, scope, 'delete', target, 'rsync --delete', { deep: true });
    }
  }
}
