// What every list of procedures in the contract is made of.

export interface Query<I, O> {
  readonly type: 'query'
  readonly input: I
  readonly output: O
}
export interface Mutation<I, O> {
  readonly type: 'mutation'
  readonly input: I
  readonly output: O
}
