import type { TestInfo } from '@playwright/test'

/** 0 at first. A story that has changed its hosts and instances is retried with others of their kind. */
export const attemptOf = ({ retry, repeatEachIndex }: TestInfo): number => retry + repeatEachIndex
