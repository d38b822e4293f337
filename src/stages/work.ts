import type { Project } from '../config/project.ts';
import type { Plan, PlanStage } from './plan-types.ts';
import type { OpenStage, TaskState } from './task-state.ts';

export type FinishOptions = {
  /** Kept in the attempt; counts for nothing. */
  summary?: string | null;
  cancel?: AbortSignal;
  onCheck?: (label: string) => { text(text: string): void; end(): void };
};

/** What one finish works on. */
export type Work = { root: string; project: Project; plan: Plan; stage: PlanStage; task: TaskState; open: OpenStage };
