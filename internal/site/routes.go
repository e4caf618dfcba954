package site

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

// route is a pattern of the app's own router: "/", ":name" segments and literal segments.
type route struct {
	pattern  string
	segments []string
}

// loadRoutes reads the list of routes that the web build generates from its router's configuration.
func loadRoutes(build fs.FS) ([]route, error) {
	raw, err := fs.ReadFile(build, routesFile)
	if err != nil {
		return nil, fmt.Errorf("site: the web build is incomplete, build it again: %w", err)
	}
	var patterns []string
	if err := json.Unmarshal(raw, &patterns); err != nil {
		return nil, fmt.Errorf("site: %s: %w", routesFile, err)
	}
	routes := make([]route, 0, len(patterns))
	for _, p := range patterns {
		if !strings.HasPrefix(p, "/") || strings.Contains(p, "*") {
			return nil, fmt.Errorf("site: %s: %q is no route pattern this server knows", routesFile, p)
		}
		routes = append(routes, route{pattern: p, segments: strings.Split(p[1:], "/")})
	}
	return routes, nil
}

func hasPattern(routes []route, pattern string) bool {
	for _, r := range routes {
		if r.pattern == pattern {
			return true
		}
	}
	return false
}

// match finds the route of a path. Routes without parameters take precedence over routes with them.
func match(routes []route, p string) (pattern string, params map[string]string, ok bool) {
	segments := strings.Split(strings.TrimPrefix(p, "/"), "/")
	for _, r := range routes {
		found, matched := r.match(segments)
		if matched && (!ok || len(found) < len(params)) {
			pattern, params, ok = r.pattern, found, true
		}
	}
	return pattern, params, ok
}

func (r route) match(segments []string) (map[string]string, bool) {
	if len(segments) != len(r.segments) {
		return nil, false
	}
	var params map[string]string
	for i, want := range r.segments {
		name, isParam := strings.CutPrefix(want, ":")
		switch {
		case isParam && segments[i] != "":
			if params == nil {
				params = map[string]string{}
			}
			params[name] = segments[i]
		case isParam || want != segments[i]:
			return nil, false
		}
	}
	return params, true
}
