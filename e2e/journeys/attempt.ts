import type { TestInfo } from '@playwright/test'

/** 0 at first. A story that has changed its hosts and guests is told again of others of their kind. */
export const attemptOf = ({ retry, repeatEachIndex }: TestInfo): number => retry + repeatEachIndex
