import { resolve } from 'node:path';

/** Where a repository of a plan lies. */
export const folderOf = (root: string, repository: { path: string }): string => resolve(root, repository.path);
