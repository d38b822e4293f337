/** What in PowerShell changes files: cmdlets, their other names, and calls of System.IO. */
import type { Op } from '../effect.ts';

/** A cmdlet: which parameters (by name, else by position) name files it changes. */
type Cmdlet = { op: Op; at: number[]; names: string[]; deep?: true; pairs?: string[] };

const PATH = ['path', 'literalpath', 'filepath', 'pspath', 'lp'];

export const CMDLETS: Record<string, Cmdlet> = {
  'set-content': { op: 'write', at: [0], names: PATH },
  'add-content': { op: 'write', at: [0], names: PATH },
  'clear-content': { op: 'write', at: [0], names: PATH },
  'out-file': { op: 'write', at: [0], names: PATH },
  'tee-object': { op: 'write', at: [0], names: PATH },
  'export-csv': { op: 'write', at: [0], names: PATH },
  'export-clixml': { op: 'write', at: [0], names: PATH },
  'start-transcript': { op: 'write', at: [0], names: [...PATH, 'outputdirectory'] },
  'new-item': { op: 'create', at: [0], names: [...PATH, 'name'] },
  'remove-item': { op: 'delete', at: [0], names: PATH, deep: true },
  'clear-item': { op: 'write', at: [0], names: PATH },
  'set-item': { op: 'write', at: [0], names: PATH },
  'move-item': { op: 'rename', at: [0, 1], names: [...PATH, 'destination'], deep: true },
  'rename-item': { op: 'rename', at: [0, 1], names: [...PATH, 'newname'], deep: true },
  'copy-item': { op: 'write', at: [1], names: ['destination'] },
  'set-itemproperty': { op: 'mode', at: [0], names: PATH },
  'set-acl': { op: 'mode', at: [0], names: PATH },
  'expand-archive': { op: 'write', at: [1], names: ['destinationpath'], deep: true },
  'compress-archive': { op: 'write', at: [1], names: ['destinationpath'] },
  'invoke-webrequest': { op: 'write', at: [], names: ['outfile'] },
  'invoke-restmethod': { op: 'write', at: [], names: ['outfile'] },
  'start-bitstransfer': { op: 'write', at: [1], names: ['destination'] },
};

export const ALIASES: Record<string, string> = {
  sc: 'set-content',
  ac: 'add-content',
  clc: 'clear-content',
  tee: 'tee-object',
  epcsv: 'export-csv',
  ni: 'new-item',
  md: 'new-item',
  mkdir: 'new-item',
  ri: 'remove-item',
  rm: 'remove-item',
  rmdir: 'remove-item',
  rd: 'remove-item',
  del: 'remove-item',
  erase: 'remove-item',
  mi: 'move-item',
  mv: 'move-item',
  move: 'move-item',
  rni: 'rename-item',
  ren: 'rename-item',
  ci: 'copy-item',
  cp: 'copy-item',
  copy: 'copy-item',
  cpi: 'copy-item',
  si: 'set-item',
  sp: 'set-itemproperty',
  iwr: 'invoke-webrequest',
  curl: 'invoke-webrequest',
  wget: 'invoke-webrequest',
  irm: 'invoke-restmethod',
  cd: 'set-location',
  chdir: 'set-location',
  sl: 'set-location',
  pushd: 'push-location',
  popd: 'pop-location',
  iex: 'invoke-expression',
};

/** Parameters that are switches: nothing follows them. */
export const SWITCHES =
  /^(?:recurse|force|append|noclobber|nonewline|passthru|confirm|whatif|verbose|debug|asbytestream|wait|container|notypeinformation|usebasicparsing|noninteractive|noprofile|nologo)$/;

export const STATIC_OPS: Record<string, { op: Op; at: number[]; deep?: true }> = {
  writealltext: { op: 'write', at: [0] },
  writealllines: { op: 'write', at: [0] },
  writeallbytes: { op: 'write', at: [0] },
  appendalltext: { op: 'write', at: [0] },
  appendalllines: { op: 'write', at: [0] },
  create: { op: 'create', at: [0] },
  createtext: { op: 'create', at: [0] },
  openwrite: { op: 'write', at: [0] },
  appendtext: { op: 'write', at: [0] },
  delete: { op: 'delete', at: [0], deep: true },
  move: { op: 'rename', at: [0, 1], deep: true },
  copy: { op: 'write', at: [1] },
  replace: { op: 'rename', at: [0, 1] },
  createdirectory: { op: 'create', at: [0] },
  setattributes: { op: 'mode', at: [0] },
};
