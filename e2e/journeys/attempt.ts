import type { TestInfo } from '@playwright/test'

/** 0 at first. A test that changes hosts and instances uses other ones of the same kind on a retry. */
export const attemptOf = ({ retry, repeatEachIndex }: TestInfo): number => retry + repeatEachIndex
