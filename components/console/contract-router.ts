import type {
  TRPCBuiltRouter,
  TRPCDefaultErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server'
import type { ErrorView } from '@/server/api/contract'
import type { Procedures, StreamItem } from '@/server/api/contract-moves'

// The agreed list of procedures as the router type the client is made for.

type Built<P> = P extends { type: 'query'; input: infer I; output: infer O }
  ? TRPCQueryProcedure<{ meta: unknown; input: I; output: O }>
  : P extends { type: 'mutation'; input: infer I; output: infer O }
    ? TRPCMutationProcedure<{ meta: unknown; input: I; output: O }>
    : P extends { input: infer I }
      ? TRPCSubscriptionProcedure<{
          meta: unknown
          input: I
          output: AsyncIterable<{ id: string; data: StreamItem }, void>
        }>
      : never

type Noun<K> = K extends `${infer N}.${string}` ? N : never
type Verb<K, N extends string> = K extends `${N}.${infer V}` ? V : never

type RouterRecord = {
  [N in Noun<keyof Procedures>]: {
    [V in Verb<keyof Procedures, N>]: Built<Procedures[`${N}.${V}` & keyof Procedures]>
  }
}

interface ErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape['data'] & { berth: ErrorView }
}

export type ContractRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  RouterRecord
>
