package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	prometheusbridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"pantheon/internal/kit/trace"
	"pantheon/internal/kit/version"
)

// flushTimeout limits how long the shutdown flushes spans and metrics.
const flushTimeout = 3 * time.Second

// exportTelemetry sends traces, and the metrics of the registry, to where OTEL_EXPORTER_OTLP_ENDPOINT says, by OTLP over HTTP. Other
// variables of the OpenTelemetry SDK, such as OTEL_EXPORTER_OTLP_HEADERS, are the SDK's own. A collector that does not answer costs
// what it would have got, and nothing else.
func (b *base) exportTelemetry(ctx context.Context) error {
	endpoint := strings.TrimSuffix(b.config.Telemetry.Endpoint, "/")
	if endpoint == "" {
		return nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { b.log.Warn("telemetry not exported", "error", err) }))
	of, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "pantheon"), attribute.String("service.version", version.Get().String()),
		attribute.String("service.instance.id", b.process.Replica),
	), resource.WithFromEnv())
	if err != nil {
		return fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	spans, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint+"/v1/traces"))
	if err != nil {
		return fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	figures, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(endpoint+"/v1/metrics"))
	if err != nil {
		return fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	sampler := changes{sdktrace.TraceIDRatioBased(b.config.Telemetry.Reads)}
	traces := sdktrace.NewTracerProvider(sdktrace.WithResource(of), sdktrace.WithBatcher(spans),
		sdktrace.WithSampler(sdktrace.ParentBased(sampler, sdktrace.WithRemoteParentNotSampled(sampler))))
	metrics := metric.NewMeterProvider(metric.WithResource(of), metric.WithReader(metric.NewPeriodicReader(figures,
		metric.WithProducer(prometheusbridge.NewMetricProducer(prometheusbridge.WithGatherer(b.registry))))))
	b.onClose(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
		defer cancel()
		_ = traces.Shutdown(ctx) // the error handler tells
		_ = metrics.Shutdown(ctx)
		return nil
	})
	otel.SetTracerProvider(traces)
	trace.On()
	return nil
}

// changes samples the requests that change something, and as many of those that read as another sampler says.
type changes struct{ reads sdktrace.Sampler }

// ShouldSample implements sdktrace.Sampler.
func (c changes) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	for _, a := range p.Attributes {
		if a.Key == trace.Method && (a.Value.AsString() == http.MethodGet || a.Value.AsString() == http.MethodHead) {
			return c.reads.ShouldSample(p)
		}
	}
	return sdktrace.AlwaysSample().ShouldSample(p)
}

// Description implements sdktrace.Sampler.
func (c changes) Description() string { return "changes, and of reads " + c.reads.Description() }
