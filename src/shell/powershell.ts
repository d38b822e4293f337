import type { Reading } from './effect.ts';
export function readPowershell(_command: string): Reading {
  return { effects: [], invocations: [], deliveries: [], hookSkips: [], scripts: [], opaque: [] };
}
