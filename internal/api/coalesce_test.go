package api

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"pantheon/internal/kit/fault"
)

// shop is a handler whose responses take until the test releases them. Each has the stock at the time it began.
type shop struct {
	stock   int
	began   []string // URLs of the computations, in order
	release chan struct{}
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.began = append(s.began, r.URL.RequestURI())
	stock := s.stock
	<-s.release
	w.Header().Set("Content-Type", "text/plain"+r.Header.Get("Accept"))
	if stock < 0 {
		panic("no such stock")
	}
	w.WriteHeader(http.StatusTeapot)
	_, _ = fmt.Fprint(w, stock)
}

// customer requests a page of the shop until it has a response.
func customer(ctx context.Context, c http.Handler, url string, header ...string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, url, nil).WithContext(ctx)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	go func() {
		defer func() { _ = recover() }() // net/http recovers from panics
		c.ServeHTTP(w, r)
	}()
	synctest.Wait()
	return w
}

const page = "/api/marketplace/listings?limit=30"

// Spec: MARKET-15
func TestCoalesce_ConcurrentRequestsShareAResponseThatBeganAfterAllOfThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{stock: 3, release: make(chan struct{})}
		c := sharing(s)
		first := customer(t.Context(), c, page)
		var later []*httptest.ResponseRecorder
		for i := range 10 {
			header := []string{}
			if i == 0 { // computes the response of all
				header = []string{"Accept", "json"}
			}
			later = append(later, customer(t.Context(), c, page, header...))
			s.stock-- // announced to the browsers, which refetch
		}
		s.stock = 2
		s.release <- struct{}{}
		synctest.Wait()
		if got := first.Body.String(); got != "3" || first.Code != http.StatusTeapot {
			t.Errorf("the first was answered %d %q, want what was true when it began", first.Code, got)
		}
		s.release <- struct{}{}
		synctest.Wait()
		for i, w := range later {
			if w.Code != http.StatusTeapot || w.Body.String() != "2" || w.Header().Get("Content-Type") != "text/plain" ||
				w.Header().Get("Content-Length") != "1" {
				t.Errorf("request %d was answered %d %q %v", i, w.Code, w.Body, w.Header())
			}
		}
		if len(s.began) != 2 {
			t.Errorf("%d responses were computed, want 2: %v", len(s.began), s.began)
		}
		if len(c.(*coalescer).flying) != 0 {
			t.Error("the URL is still in flight")
		}
	})
}

// sharing coalesces the requests for a page.
func sharing(s http.Handler, checks ...check) http.Handler {
	a := &API{shared: map[string]sharedCall{"/api/marketplace/listings": {"getListings", checks}}}
	return a.coalesce(s)
}

// TestCoalesce_SharedResponsesAreTheSameForEveryCaller requests each of them.
func TestCoalesce_OnlyListsOfTheMarketAreShared(t *testing.T) {
	t.Parallel()
	want := "/api/marketplace/collections /api/marketplace/listings /api/marketplace/sales /api/marketplace/traits"
	if got := strings.Join(slices.Sorted(maps.Keys(New(Options{}).shared)), " "); got != want {
		t.Errorf("the shared responses are %s, want %s", got, want)
	}
}

// A refusal is for its caller alone, and whoever is refused gets nobody's response.
// Spec: ACCESS-9
func TestCoalesce_EachRequestIsCheckedByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{stock: 3, release: make(chan struct{})}
		c := sharing(s, func(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
			if r.Header.Get("Authorization") == "" {
				return nil, fault.New(fault.Unauthorized, "Please sign in to continue.")
			}
			return r, nil
		})
		refused := customer(t.Context(), c, page)
		first := customer(t.Context(), c, page, "Authorization", "a")
		also := customer(t.Context(), c, page)
		next := customer(t.Context(), c, page, "Authorization", "b")
		close(s.release)
		synctest.Wait()
		if refused.Code != http.StatusUnauthorized || also.Code != http.StatusUnauthorized || strings.Contains(also.Body.String(), "3") {
			t.Errorf("visitors were answered %d %q and %d %q", refused.Code, refused.Body, also.Code, also.Body)
		}
		if first.Body.String() != "3" || next.Body.String() != "3" || len(s.began) != 2 {
			t.Errorf("players were answered %q and %q, by %d responses", first.Body, next.Body, len(s.began))
		}
	})
}

func TestCoalesce_OtherRequestsAreAnsweredAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{release: make(chan struct{})}
		c := sharing(s)
		for _, r := range [][]string{
			{page}, {page + "&q=sun"}, {page, "Accept-Encoding", "gzip"}, {"/api/marketplace/fees"}, {"/api/marketplace/fees"},
			{"/api/auth/profile"}, {"/api/auth/profile"},
		} {
			customer(t.Context(), c, r[0], r[1:]...)
		}
		if len(s.began) != 7 {
			t.Errorf("%d responses are being computed, want 7: %v", len(s.began), s.began)
		}
		close(s.release)
	})
}

// Spec: MARKET-15
func TestCoalesce_ClientThatLeavesTakesNobodyAlong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{stock: 5, release: make(chan struct{})}
		c := sharing(s)
		customer(t.Context(), c, page)
		ctx, leave := context.WithCancel(t.Context())
		customer(ctx, c, page) // would compute the next response
		stays := customer(t.Context(), c, page)
		leave()
		close(s.release)
		synctest.Wait()
		if stays.Body.String() != "5" {
			t.Errorf("the other was answered %d %q", stays.Code, stays.Body)
		}
	})
}

func TestCoalesce_PanicFailsItsOwnRequestsOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{stock: 1, release: make(chan struct{})}
		c := sharing(s)
		customer(t.Context(), c, page)
		s.stock = -1
		customer(t.Context(), c, page) // panics
		waits := customer(t.Context(), c, page)
		s.release <- struct{}{}
		synctest.Wait()
		s.release <- struct{}{}
		synctest.Wait()
		if waits.Code != http.StatusInternalServerError {
			t.Errorf("who waited was answered %d", waits.Code)
		}
		s.stock = 4
		next := customer(t.Context(), c, page)
		close(s.release)
		synctest.Wait()
		if next.Body.String() != "4" {
			t.Errorf("the next was answered %d %q", next.Code, next.Body)
		}
	})
}

// slowReader is a client that does not read its response.
type slowReader struct {
	*httptest.ResponseRecorder
	never chan struct{}
}

func (w slowReader) Write([]byte) (int, error) {
	<-w.never
	return 0, http.ErrHandlerTimeout
}

// Spec: MARKET-15
func TestCoalesce_ClientThatDoesNotReadDelaysNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{stock: 6, release: make(chan struct{})}
		close(s.release)
		c := sharing(s)
		slow := slowReader{httptest.NewRecorder(), make(chan struct{})}
		go c.ServeHTTP(slow, httptest.NewRequest(http.MethodGet, page, nil))
		synctest.Wait()
		if w := customer(t.Context(), c, page); w.Body.String() != "6" {
			t.Errorf("the other was answered %d %q", w.Code, w.Body)
		}
		close(slow.never)
	})
}
