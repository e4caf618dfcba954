package beacon

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
)

var genesis = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// serve runs a mirror and returns its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func honest(s *Signer, at clock.Clock) http.Handler {
	return (&Server{Signer: s, Genesis: genesis, Period: time.Second, Clock: at}).Handler()
}

// says is a mirror that answers anything with a status and a text.
func says(status int, text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	})
}

func TestClient_ReadsARoundFromItsTimeOn(t *testing.T) {
	t.Parallel()
	signer, clk := NewSigner([32]byte{1}), clock.NewFake(genesis.Add(8999*time.Millisecond))
	c := NewClient([]string{serve(t, honest(signer, clk)) + "/"}, signer.PublicKey())
	if _, err := c.Round(t.Context(), 10); !errors.Is(err, ErrNotYet) {
		t.Errorf("before its time: %v", err)
	}
	clk.Advance(time.Millisecond)
	r, err := c.Round(t.Context(), 10)
	if err != nil || r.Number != 10 || len(r.Signature) != 48 {
		t.Fatalf("%+v, %v", r, err)
	}
	if again, err := c.Round(t.Context(), 10); err != nil || again.Randomness != r.Randomness {
		t.Errorf("the round changes: %v", err)
	}
}

func TestClient_TakesTheRoundFromAnyMirrorThatHasIt(t *testing.T) {
	t.Parallel()
	signer := NewSigner([32]byte{1})
	good := serve(t, honest(signer, clock.NewFake(genesis.Add(time.Hour))))
	down := httptest.NewServer(nil)
	down.Close()
	late := serve(t, says(http.StatusTooEarly, ""))
	wrong := serve(t, honest(NewSigner([32]byte{2}), clock.NewFake(genesis.Add(time.Hour))))
	c := NewClient([]string{down.URL, late, wrong, good}, signer.PublicKey())
	if r, err := c.Round(t.Context(), 3); err != nil || r.Number != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Spec: DRAW-15
func TestClient_BelievesNoMirror(t *testing.T) {
	t.Parallel()
	signer := NewSigner([32]byte{1})
	signatureOf := func(s *Signer, round uint64) string {
		b, err := s.Sign(round)
		if err != nil {
			t.Fatal(err)
		}
		return hex.EncodeToString(b)
	}
	answer := func(round uint64, signature string) string {
		return fmt.Sprintf(`{"round":%d,"randomness":"%s","signature":"%s"}`, round, strings.Repeat("ab", 32), signature)
	}
	for what, h := range map[string]http.Handler{
		"nonsense":                      says(200, "<html>"),
		"nothing":                       says(200, ""),
		"an error":                      says(500, answer(3, signatureOf(signer, 3))),
		"another round":                 says(200, answer(4, signatureOf(signer, 4))),
		"another round's signature":     says(200, answer(3, signatureOf(signer, 4))),
		"another beacon's signature":    says(200, answer(3, signatureOf(NewSigner([32]byte{2}), 3))),
		"no signature":                  says(200, answer(3, "")),
		"a signature that is no hex":    says(200, answer(3, "zz")),
		"a redirect to a right answer":  http.RedirectHandler(serve(t, says(200, answer(3, signatureOf(signer, 3)))), http.StatusFound),
		"more than a round can consist": says(200, answer(3, signatureOf(signer, 3))+strings.Repeat(" ", 4096)),
	} {
		if r, err := NewClient([]string{serve(t, h)}, signer.PublicKey()).Round(t.Context(), 3); err == nil || errors.Is(err, ErrNotYet) {
			t.Errorf("%s: %+v, %v", what, r, err)
		}
	}
}

func TestClient_AnswersHave4096BytesAtMost(t *testing.T) {
	t.Parallel()
	signer := NewSigner([32]byte{1})
	signature, err := signer.Sign(3)
	if err != nil {
		t.Fatal(err)
	}
	answer := fmt.Sprintf(`{"round":3,"signature":"%x"}`, signature)
	for size, ok := range map[int]bool{4096: true, 4097: false} {
		mirror := serve(t, says(200, answer+strings.Repeat(" ", size-len(answer))))
		if _, err := NewClient([]string{mirror}, signer.PublicKey()).Round(t.Context(), 3); (err == nil) != ok {
			t.Errorf("an answer of %d bytes: %v", size, err)
		}
	}
}

func TestClient_WaitsFiveSecondsForAMirror(t *testing.T) {
	t.Parallel()
	if got := NewClient(nil, nil).http.Timeout; got != 5*time.Second {
		t.Errorf("the timeout is %s", got)
	}
}

func TestClient_NotFoundOrTooEarlyIsErrNotYet(t *testing.T) {
	t.Parallel()
	for _, status := range []int{404, 425} {
		if _, err := NewClient([]string{serve(t, says(status, ""))}, NewSigner([32]byte{1}).PublicKey()).Round(t.Context(), 3); err != ErrNotYet {
			t.Errorf("status %d: %v", status, err)
		}
	}
}

func TestClient_StopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	})
	go func() { <-asked; cancel() }()
	if _, err := NewClient([]string{serve(t, hangs)}, NewSigner([32]byte{1}).PublicKey()).Round(ctx, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestClient_LatestIsTheNewestRoundOfAllMirrors(t *testing.T) {
	t.Parallel()
	signer, now := NewSigner([32]byte{1}), genesis.Add(time.Hour)
	at := func(s *Signer, lag time.Duration) string { return serve(t, honest(s, clock.NewFake(now.Add(-lag)))) }
	down := httptest.NewServer(nil)
	down.Close()
	stale, good, stolen := at(signer, time.Minute), at(signer, 0), at(NewSigner([32]byte{2}), -time.Hour)
	c := NewClient([]string{down.URL, stale, stolen, good, stale, serve(t, says(404, ""))}, signer.PublicKey())
	r, err := c.Latest(t.Context())
	if err != nil || r.Number != 3601 || len(r.Signature) != 48 {
		t.Fatalf("%+v, %v", r, err)
	}
	if same, err := c.Round(t.Context(), 3601); err != nil || same.Randomness != r.Randomness {
		t.Errorf("the round is another when it is asked for: %v", err)
	}
	if r, err := NewClient([]string{down.URL, stale}, signer.PublicKey()).Latest(t.Context()); err != nil || r.Number != 3541 {
		t.Errorf("of the mirror that is left: %+v, %v", r, err)
	}
	none := NewClient([]string{down.URL, stolen}, signer.PublicKey())
	r, err = none.Latest(t.Context())
	if err == nil || !strings.Contains(err.Error(), down.URL+": ") || !strings.Contains(err.Error(), stolen+": ") {
		t.Errorf("without a right answer: %+v, %v", r, err)
	}
}

func TestClient_LatestBelievesNoMirror(t *testing.T) {
	t.Parallel()
	signer := NewSigner([32]byte{1})
	third, err := signer.Sign(3)
	if err != nil {
		t.Fatal(err)
	}
	zeroth, err := signer.Sign(0)
	if err != nil {
		t.Fatal(err)
	}
	for what, h := range map[string]http.Handler{
		"a later round's number":    says(200, fmt.Sprintf(`{"round":4,"signature":"%x"}`, third)),
		"no round's number":         says(200, fmt.Sprintf(`{"signature":"%x"}`, third)),
		"round 0":                   says(200, fmt.Sprintf(`{"round":0,"signature":"%x"}`, zeroth)),
		"a negative number":         says(200, fmt.Sprintf(`{"round":-3,"signature":"%x"}`, third)),
		"an error with a signature": says(500, fmt.Sprintf(`{"round":3,"signature":"%x"}`, third)),
		"nothing":                   says(200, ""),
		"that there is none":        says(425, ""),
	} {
		if r, err := NewClient([]string{serve(t, h)}, signer.PublicKey()).Latest(t.Context()); err == nil {
			t.Errorf("%s: %+v", what, r)
		}
	}
}
