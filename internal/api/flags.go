package api

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/flags"
)

// FeatureFlags are all flags by key.
type FeatureFlags struct {
	Flags map[string]flags.Flag `json:"flags" doc:"The flags by key."`
}

type flagsQuery struct {
	Environment string `query:"environment" doc:"Which environment the flags are for, such as stage; this server's own when left out." maxLength:"40"`
	Project     string `query:"project" doc:"Which project the flags are for." maxLength:"40"`
}

// OFREPRequest requests flags by the OpenFeature Remote Evaluation Protocol.
type OFREPRequest struct {
	_       struct{}       `additionalProperties:"true"`
	Context map[string]any `json:"context,omitempty" doc:"For whom: targetingKey (the player's id), environment and project, all texts; what else is in it is ignored."`
}

// OFREPFlag is one evaluated flag.
type OFREPFlag struct {
	Key     string `json:"key" doc:"The flag."`
	Value   bool   `json:"value" doc:"Whether it is on."`
	Reason  string `json:"reason" doc:"How it came about, in OpenFeature's words."`
	Variant string `json:"variant" doc:"on or off."`
}

// OFREPFlags are all evaluated flags.
type OFREPFlags struct {
	Flags []OFREPFlag `json:"flags" doc:"The flags, by key." nullable:"false"`
}

// OFREPFailure is an error in the protocol's own format, not a problem of RFC 9457.
type OFREPFailure struct {
	Key          string `json:"key,omitempty" doc:"The flag that was asked for."`
	ErrorCode    string `json:"errorCode" doc:"An OpenFeature error code: PARSE_ERROR, INVALID_CONTEXT or FLAG_NOT_FOUND."`
	ErrorDetails string `json:"errorDetails" doc:"What is wrong."`

	status int
}

// Error returns the details.
func (f *OFREPFailure) Error() string { return f.ErrorDetails }

// GetStatus returns the HTTP status.
func (f *OFREPFailure) GetStatus() int { return f.status }

type ofrepBulk struct {
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag of the answer the client has."`
	RawBody     []byte `contentType:"application/json"`
}

type ofrepOne struct {
	Key     string `path:"key" doc:"The flag."`
	RawBody []byte `contentType:"application/json"`
}

type ofrepAnswer struct {
	Status      int
	ETag        string `header:"ETag"`
	ContentType string `header:"Content-Type"`
	Body        []byte
}

func (a *API) registerFlags() {
	op := a.operation(call{
		method: http.MethodGet, path: "/api/proxy/feature-flag/getEvaluatedFeatureFlags", id: "getEvaluatedFeatureFlags", tag: tagFlags,
		summary: "Which parts of the portal are on", unlimited: fromMemory,
	}, "", a.recognise)
	op.Description = "A signed-in player's token, where it is sent along, decides on flags that are on for a share of all players."
	register(a, op, func(ctx context.Context, in *flagsQuery) (*Body[FeatureFlags], error) {
		c := flags.Context{PlayerID: callerOf(ctx).PlayerID, Environment: in.Environment, Project: in.Project}
		return body(FeatureFlags{a.Flags.All(ctx, c)}), nil
	})
	a.registerOFREP()
}

// registerOFREP registers the OpenFeature Remote Evaluation Protocol (open-feature/protocol, service/openapi.yaml).
func (a *API) registerOFREP() {
	schemas := a.huma.OpenAPI().Components.Schemas
	content := func(v any) map[string]*huma.MediaType {
		t := reflect.TypeOf(v)
		return map[string]*huma.MediaType{"application/json": {Schema: schemas.Schema(t, true, t.Name())}}
	}
	all := a.operation(call{
		method: http.MethodPost, path: "/ofrep/v1/evaluate/flags", id: "evaluateFlags", tag: tagFlags,
		summary: "All flags, for OpenFeature clients (OFREP)", unlimited: fromMemory,
	}, "")
	all.SkipValidateBody = true
	all.Responses = map[string]*huma.Response{
		"200": {Description: "The flags, with an ETag.", Content: content(OFREPFlags{})},
		"304": {Description: "The flags are those of If-None-Match."},
		"400": {Description: "The request is malformed.", Content: content(OFREPFailure{})},
	}
	huma.Register(a.huma, all, a.evaluateFlags)

	one := a.operation(call{
		method: http.MethodPost, path: "/ofrep/v1/evaluate/flags/{key}", id: "evaluateFlag", tag: tagFlags,
		summary: "One flag, for OpenFeature clients (OFREP)", unlimited: fromMemory,
	}, "")
	one.SkipValidateBody = true
	one.Responses = map[string]*huma.Response{
		"200": {Description: "The flag.", Content: content(OFREPFlag{})},
		"400": {Description: "The request is malformed.", Content: content(OFREPFailure{})},
		"404": {Description: "There is no such flag.", Content: content(OFREPFailure{})},
	}
	huma.Register(a.huma, one, a.evaluateFlag)

	for _, path := range []string{all.Path, one.Path} {
		// The body is parsed manually, as its errors are not problems; its schema is still part of the contract.
		a.huma.OpenAPI().Paths[path].Post.RequestBody = &huma.RequestBody{Content: content(OFREPRequest{})}
	}
}

func (a *API) evaluateFlags(ctx context.Context, in *ofrepBulk) (*ofrepAnswer, error) {
	c, err := ofrepContext("", in.RawBody)
	if err != nil {
		return nil, err
	}
	all := a.Flags.All(ctx, c)
	out := OFREPFlags{Flags: make([]OFREPFlag, 0, len(all))}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		out.Flags = append(out.Flags, ofrepFlag(key, all[key]))
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, problem(ctx, a.Log, err)
	}
	answer := &ofrepAnswer{Status: http.StatusOK, ETag: entityTag(b), ContentType: "application/json", Body: b}
	if noneMatches(in.IfNoneMatch, answer.ETag) {
		answer.Status, answer.Body = http.StatusNotModified, nil
	}
	return answer, nil
}

func (a *API) evaluateFlag(ctx context.Context, in *ofrepOne) (*Body[OFREPFlag], error) {
	c, err := ofrepContext(in.Key, in.RawBody)
	if err != nil {
		return nil, err
	}
	f, err := a.Flags.Flag(ctx, in.Key, c)
	if fault.Is(err, fault.NotFound) {
		return nil, &OFREPFailure{Key: in.Key, ErrorCode: "FLAG_NOT_FOUND", ErrorDetails: "There is no such flag.", status: http.StatusNotFound}
	}
	if err != nil {
		return nil, problem(ctx, a.Log, err)
	}
	return body(ofrepFlag(in.Key, f)), nil
}

func ofrepFlag(key string, f flags.Flag) OFREPFlag {
	return OFREPFlag{Key: key, Value: f.Value, Reason: f.Reason, Variant: f.Variant}
}

// ofrepContext parses the evaluation context. Without a body or a context it is a visitor's.
func ofrepContext(key string, raw []byte) (flags.Context, error) {
	bad := func(code, details string) error {
		return &OFREPFailure{Key: key, ErrorCode: code, ErrorDetails: details, status: http.StatusBadRequest}
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return flags.Context{}, nil
	}
	var request map[string]json.RawMessage
	if err := json.Unmarshal(raw, &request); err != nil || request == nil {
		return flags.Context{}, bad("PARSE_ERROR", "The body must be a JSON object.")
	}
	var attributes map[string]any
	if text, ok := request["context"]; ok {
		if err := json.Unmarshal(text, &attributes); err != nil {
			return flags.Context{}, bad("INVALID_CONTEXT", "The context must be an object.")
		}
	}
	var c flags.Context
	for _, a := range []struct {
		name string
		into *string
	}{{"targetingKey", &c.PlayerID}, {"environment", &c.Environment}, {"project", &c.Project}} {
		value, ok := attributes[a.name]
		if !ok || value == nil {
			continue
		}
		if *a.into, ok = value.(string); !ok {
			return flags.Context{}, bad("INVALID_CONTEXT", a.name+" must be a text.")
		}
	}
	return c, nil
}
