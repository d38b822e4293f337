import type { Op } from '../effect.ts';

/**
 * Library calls that change files: positions of the written paths (`r` is the value the method is called on),
 * the operation, and for `open` where its mode stands. `on` limits a name that other types have too.
 */
export type CallRow = {
  at: (number | 'r')[];
  op?: Op;
  mode?: number;
  deep?: true;
  on?: 'module' | 'path';
  from?: number;
  dir?: true;
};

const row = (names: string, value: CallRow): [string, CallRow][] => names.split(' ').map(name => [name, value]);

export const CALLS: Map<string, CallRow> = new Map([
  // JavaScript: node:fs in its three forms, fs-extra, Deno, Bun.
  ...row(
    'writeFile writeFileSync appendFile appendFileSync createWriteStream truncateSync outputFile outputFileSync outputJson outputJsonSync writeJson writeJsonSync writeJSON ensureFile ensureFileSync writeTextFile writeTextFileSync file_put_contents',
    { at: [0] },
  ),
  ...row('unlinkSync rmSync rmdirSync removeSync emptyDir emptyDirSync rimraf rimrafSync', {
    at: [0],
    op: 'delete',
    deep: true,
  }),
  ...row('renameSync moveSync', { at: [0, 1], op: 'rename', deep: true }),
  ...row('copyFile copyFileSync cpSync copySync', { at: [1], from: 0 }),
  ...row('symlinkSync linkSync', { at: [1], op: 'link' }),
  ...row('chmodSync chownSync lchownSync utimesSync lutimesSync utimeSync utimes', { at: [0], op: 'mode' }),
  ...row('mkdirSync mkdtempSync ensureDir ensureDirSync mkdirp', { at: [0], op: 'create' }),
  ...row('openSync', { at: [0], mode: 1 }),
  // Python.
  ...row('write_text write_bytes', { at: ['r'] }),
  ...row('rmtree', { at: [0, 'r'], op: 'delete', deep: true }),
  ...row('removedirs', { at: [0], op: 'delete' }),
  ...row('copytree copyfile copy2', { at: [1], from: 0 }),
  ...row('copymode copystat', { at: [1], op: 'mode' }),
  ...row('makedirs mkfifo', { at: [0], op: 'create' }),
  ...row('symlink_to hardlink_to', { at: ['r'], op: 'link' }),
  ...row('to_csv to_json to_excel to_parquet to_pickle to_html to_markdown savefig save_pretrained savetxt', {
    at: [0],
  }),
  ...row('renames', { at: [0, 1], op: 'rename', deep: true }),
  // Ruby, PHP, Lua, Perl: names that stand alone.
  ...row('rm_rf rm_r rm_f remove_dir remove_entry remove_file safe_unlink', { at: [0], op: 'delete', deep: true }),
  ...row('cp_r ln_s ln_sf', { at: [1] }),
  ...row('mkdir_p', { at: [0], op: 'create' }),
  ...row('fopen', { at: [0], mode: 1 }),
  ...row('remove_tree', { at: [0], op: 'delete', deep: true }),
  ...row('binwrite', { at: [0, 'r'] }),
  // Names that many things have: only on a file module, a path, or bare.
  ...row('write', { at: [0], on: 'module' }),
  ...row('unlink', { at: [0, 'r'], op: 'delete', on: 'path' }),
  ...row('remove rm rmdir delete', { at: [0, 'r'], op: 'delete', deep: true, on: 'path' }),
  ...row('rename move mv', { at: [0, 1, 'r'], op: 'rename', deep: true, on: 'path' }),
  ...row('replace', { at: [0, 1, 'r'], op: 'rename', deep: true, on: 'path' }),
  ...row('copy cp', { at: [1], from: 0, on: 'path' }),
  ...row('symlink link', { at: [1], op: 'link', on: 'path' }),
  ...row('touch mkdir', { at: [0, 'r'], op: 'create', on: 'path' }),
  ...row('chmod chown lchmod', { at: [0, 'r'], op: 'mode', on: 'path' }),
  // Perl and Ruby name the two times first.
  ...row('utime', { at: [0, 2, 3, 'r'], op: 'mode', on: 'path' }),
  ...row('truncate', { at: [0, 'r'], on: 'path' }),
  ...row('open', { at: [0, 'r'], mode: 1, on: 'path' }),
  ...row('output', { at: [0], on: 'module' }),
]);

/** Objects whose methods work on files. */
export const FILE_MODULES =
  /^(?:fs|fsp|fse|promises|os|shutil|io|codecs|gzip|bz2|lzma|aiofiles|File|FileUtils|IO|Dir|Pathname|Deno|Bun|Files|pathlib|Path|tarfile|zipfile|sh|shell|shelljs|fs_extra|distutils|dir_util|file_util)$/;

export const EXEC =
  /^(?:system|popen|run|call|check_call|check_output|getoutput|getstatusoutput|Popen|execSync|exec|execFile|execFileSync|execa|execaSync|execaCommand|spawn|spawnSync|spawnl|spawnlp|execv|execvp|execl|execlp|fork|shell_exec|passthru|proc_open|create_subprocess_shell|create_subprocess_exec|execute|capture2|capture2e|capture3|posix_spawn)$/;

/** Bare or on these objects; `re.exec(x)`, `array.call()`, `app.run()` are something else. */
export const EXEC_MODULES =
  /^(?:os|subprocess|sp|child_process|cp|childProcess|Kernel|Process|Open3|asyncio|commands|pty|shell|shelljs|sh|Bun|Deno)$/;
