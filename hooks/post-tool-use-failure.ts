/** The same work as after a call that succeeded, in the same file: it tells the two apart by the name it was started as. */
void import('./post-tool-use.ts');
