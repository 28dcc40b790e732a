// The titles of findings, which alarms name and the console shows.

export { FINDING_TITLES } from '@/server/engine/words/finding-titles'
