package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A container engine learns from the exit code whether a replica is ready.
// Spec: RUN-9
func TestHealth_FailsUnlessTheReplicaIsReady(t *testing.T) {
	t.Parallel()
	status, body := http.StatusOK, ""
	replica := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method+" "+r.URL.Path != "GET /readyz" {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	_, port, _ := strings.Cut(replica.Listener.Addr().String(), ":")
	for _, address := range []string{"127.0.0.1:" + port, "0.0.0.0:" + port, ":" + port} {
		for _, c := range []struct {
			status          int
			body, out, fail string
		}{
			{200, `{"state":"ready","checks":{"database":"ok"}}`, "ready\n", ""},
			{
				200, `{"state":"degraded","checks":{"database":"ok","messages":"cannot be reached"}}`,
				"degraded\nmessages: cannot be reached\n", "",
			},
			{503, `{"state":"unready","checks":{"replica":"it stops"}}`, "unready\nreplica: it stops\n", "the replica is unready"},
			{502, `Bad Gateway`, "", "/readyz: 502 Bad Gateway: invalid character 'B' looking for beginning of value"},
		} {
			status, body = c.status, c.body
			out, err := invoke(t, []string{"LISTEN_ADDR=" + address}, "health")
			if out != c.out || (err == nil) != (c.fail == "") || err != nil && err.Error() != c.fail {
				t.Errorf("%s, %d: %q, %v", address, c.status, out, err)
			}
		}
	}
	replica.Close()
	if _, err := invoke(t, []string{"LISTEN_ADDR=127.0.0.1:" + port}, "health"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("without a replica: %v", err)
	}
}
