export { clientFault } from '../config/settings-shape.ts';
