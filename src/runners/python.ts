import type { SetupError } from './report.ts';

/** Python exceptions that mean "the test looked and the value was wrong". */
export function isAssertion(exception: string): boolean {
  const name = exception.split('.').pop() ?? '';
  return name === 'AssertionError' || name === 'DocTestFailure' || name === 'Failed' || name === 'FailTest';
}

export function exceptionKind(exception: string): SetupError['kind'] {
  const name = exception.split('.').pop() ?? '';
  if (name === 'ImportError' || name === 'ModuleNotFoundError') return 'import';
  if (name === 'SyntaxError' || name === 'IndentationError' || name === 'TabError') return 'syntax';
  if (name === 'TimeoutError' || name === 'Timeout') return 'timeout';
  return 'thrown';
}

/** `pkg.SomeError: message`, `SomeError` or null: the line that ends a Python traceback. */
export function exceptionName(line: string): string | null {
  const match = /^([A-Za-z_][\w.]*)(?::|$)/.exec(line);
  return match?.[1] ?? null;
}

/** Functions that a test case runs around its body. */
export const HOOKS =
  /^(?:setUp|tearDown|setUpClass|tearDownClass|setUpModule|tearDownModule|asyncSetUp|asyncTearDown|setup_method|teardown_method|setup_class|teardown_class|setup_module|teardown_module)$/;
