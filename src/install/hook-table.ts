export { ownSpec } from '../config/hook-table.ts';
