// The titles of rules, which the server stores in reasons and the console shows.

export { REFUSAL_TITLES } from '@/server/engine/words/refusal-titles'
