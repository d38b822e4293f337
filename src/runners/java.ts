/** Exceptions of the JVM's assertion libraries. */
export function isJavaAssertion(exception: string): boolean {
  const name = exception.split('.').pop() ?? '';
  return /(?:Assertion\w*Error|AssertionFailedError|ComparisonFailure|MultipleFailuresError|MultipleFailureException|AssertionFailure|ConditionNotSatisfiedError|ConditionFailedWithExceptionError|SpockComparisonFailure|PowerAssertionError|TestFailedException|WantedButNotInvoked|ArgumentsAreDifferent|TooManyActualInvocations|TooFewActualInvocations)$/.test(
    name,
  );
}

/** `java.lang.IllegalStateException: message` -> its class. */
export function javaException(line: string): string | null {
  return /^\s*((?:[A-Za-z_]\w*\.)+[A-Z][\w$]*|[A-Z]\w*(?:Error|Exception|Failure))(?::|$)/.exec(line)?.[1] ?? null;
}
