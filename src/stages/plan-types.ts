/** What a valid `.claude/plan.json` says, with its defaults filled in. */
import type { Check, Outcome } from '../checks/contract.ts';

export type Access = 'read' | 'write';

export type PlanRepository = {
  id: string;
  /** From the project root; '.' is the project's own. */
  path: string;
  access: Access;
  branch?: string;
  base?: string;
  paths: string[];
  testPaths: string[];
};

/** `tests` authors tests and is proven by red checks, `delivery` is the engine's own work. */
export type StageKind = 'tests' | 'work' | 'custom' | 'delivery';

/** Patterns by repository id. */
export type Patterns = Record<string, string[]>;

export type PlanStage = {
  id: string;
  kind: StageKind;
  after: string[];
  /** What the stage may write; a repository that is not named may not be written. */
  allow: Patterns;
  outputs: Patterns;
  /** Null: every check of the stage's phase. */
  checks: string[] | null;
  /** A file that guides the stage; its text is bound. */
  skill?: string;
};

export type PlanCheck = Check & { repository: string };

export type Limits = {
  attempts: number;
  timeoutSeconds: number;
  inactivitySeconds: number;
  toolTimeoutSeconds: number;
  /** The keys the plan itself gives; the others are defaults and bind nobody's longer wish. */
  given: string[];
};

export type Plan = {
  task: string;
  planFiles: string[];
  repositories: PlanRepository[];
  /** In an order in which each comes after what it names. */
  stages: PlanStage[];
  checks: PlanCheck[];
  outcomes: Outcome[];
  limits: Limits;
  approvedNoRedReason: string | null;
  delivery: { commitMessage?: string; title?: string; bodyFile?: string };
};

export const LIMIT_RANGES = {
  attempts_per_route: { usual: 2, most: 5 },
  timeout_seconds: { usual: 1800, most: 86_400 },
  inactivity_seconds: { usual: 300, most: 3600 },
  tool_timeout_seconds: { usual: 600, most: 7200 },
} as const;

export const KINDS: Record<string, StageKind> = {
  'implement-tests': 'tests',
  implement: 'work',
  review: 'work',
  'commit-and-push': 'delivery',
  'draft-pr': 'delivery',
};
