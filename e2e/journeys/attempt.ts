import type { TestInfo } from '@playwright/test'

/** 0 at first. A retry of a test that changed its hosts and instances uses others of their kind. */
export const attemptOf = ({ retry, repeatEachIndex }: TestInfo): number => retry + repeatEachIndex
