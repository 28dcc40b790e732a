// Configured by OpenTelemetry's own variables: endpoint (OTEL_EXPORTER_OTLP_ENDPOINT), headers and sampling
// (OTEL_TRACES_SAMPLER). Without an endpoint nothing is traced and the SDK is not loaded.

export interface Traces {
  /** Exports the spans that are still buffered. */
  stop(): Promise<void>
}

/** Called once, before everything else in the process: spans that start earlier are lost. */
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
