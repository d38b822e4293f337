import type { Condition } from '../gate.ts';
import { after } from './after.ts';
import { check } from './check.ts';
import { frozen } from './frozen.ts';
import { marker } from './marker.ts';
import { surface } from './surface.ts';
import { verdict } from './verdict.ts';

/** In the order causes are told. */
export const CONDITIONS: readonly Condition[] = [after, frozen, verdict, check, marker, surface];
