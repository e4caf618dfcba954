package config

// Telemetry says where traces and metrics go, by the OpenTelemetry protocol over HTTP. The names are those of OpenTelemetry's SDK, whose other
// variables (OTEL_*) work as well.
type Telemetry struct {
	// Address of an OpenTelemetry collector, such as http://collector:4318, for traces and metrics; empty for none. Credentials
	// belong in OTEL_EXPORTER_OTLP_HEADERS.
	Endpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	// The part of the traces that are recorded: 0 to 1.
	Sampled float64 `env:"OTEL_TRACES_SAMPLER_ARG" envDefault:"1"`
}
