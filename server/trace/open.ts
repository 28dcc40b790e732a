import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

// The settings are those of OpenTelemetry itself: where to send (OTEL_EXPORTER_OTLP_ENDPOINT), with which headers, how
// many traces of a hundred (OTEL_TRACES_SAMPLER). Without an address to send to nothing is traced.

export interface Traces {
  /** Sends what is still waiting. */
  stop(): Promise<void>
}

/** Called once, before anything else of the process begins: later it would miss what has begun. */
export function openTraces(env: Readonly<Record<string, string | undefined>>): Traces | null {
  if (!env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT && !env.OTEL_EXPORTER_OTLP_ENDPOINT) return null
  const resource = resourceFromAttributes({ 'service.name': 'berth' }).merge(
    detectResources({ detectors: [envDetector] }),
  )
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())]
  const provider = new NodeTracerProvider({ resource, spanProcessors })
  provider.register()
  return { stop: () => provider.shutdown() }
}
