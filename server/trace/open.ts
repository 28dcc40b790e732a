// The settings are those of OpenTelemetry itself: where to send (OTEL_EXPORTER_OTLP_ENDPOINT), with which headers, how
// many traces of a hundred (OTEL_TRACES_SAMPLER). Without an address to send to nothing is traced, and the
// libraries for it are not read.

export interface Traces {
  /** Sends what is still waiting. */
  stop(): Promise<void>
}

/** Called once, before anything else of the process begins: later it would miss what has begun. */
export async function openTraces(env: Readonly<Record<string, string | undefined>>): Promise<Traces | null> {
  if (!env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT && !env.OTEL_EXPORTER_OTLP_ENDPOINT) return null
  const [
    { OTLPTraceExporter },
    { detectResources, envDetector, resourceFromAttributes },
    { BatchSpanProcessor, NodeTracerProvider },
  ] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-node'),
  ])
  const resource = resourceFromAttributes({ 'service.name': 'berth' }).merge(
    detectResources({ detectors: [envDetector] }),
  )
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())]
  const provider = new NodeTracerProvider({ resource, spanProcessors })
  provider.register()
  return { stop: () => provider.shutdown() }
}
