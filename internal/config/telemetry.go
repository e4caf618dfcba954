package config

// Telemetry says where traces and metrics go, by the OpenTelemetry protocol over HTTP. Other variables of OpenTelemetry's SDK (OTEL_*)
// work as well.
type Telemetry struct {
	// Address of an OpenTelemetry collector, such as http://collector:4318, for traces and metrics; empty for none. Credentials
	// belong in OTEL_EXPORTER_OTLP_HEADERS.
	Endpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	// The part of the requests that only read of which traces are recorded: 0 to 1. Those that change something always are, and those
	// that belong to a recorded trace.
	Reads float64 `env:"TRACE_READS" envDefault:"0.05"`
}
