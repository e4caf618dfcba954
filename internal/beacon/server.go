package beacon

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
)

// Server publishes the rounds of a Signer, each at its time, as drand's relays do over HTTP.
type Server struct {
	Signer  *Signer
	ID      string        // the beacon's name; "default" when empty
	Genesis time.Time     // when round 1 is published, in whole seconds
	Period  time.Duration // between rounds, in whole seconds
	Clock   clock.Clock
}

// Info describes the chain. Its group hash follows from the key: there is no group of nodes.
func (s *Server) Info() Info {
	key := s.Signer.PublicKey().Bytes()
	group := sha256.Sum256(append([]byte("pantheon/beacon/group"), key...))
	return Info{PublicKey: key, Genesis: s.Genesis, Period: s.Period, GroupHash: group[:], ID: s.ID}
}

// How long answers are kept by caches.
const (
	forGood = "public, max-age=604800, immutable" // what a chain's hash names never changes
	never   = "no-cache"
)

// Handler serves drand's HTTP API, version 1: /info, /health, /public/latest and /public/{round}, the same under /{chain hash},
// and /chains. Pages of all origins may read it.
func (s *Server) Handler() http.Handler {
	info := s.Info()
	sum := info.Hash()
	hash := hex.EncodeToString(sum[:])
	named, plain := s.routes(info, hash, forGood), s.routes(info, hash, never) // without the hash, another chain may be served tomorrow
	plain.HandleFunc("GET /chains", func(w http.ResponseWriter, _ *http.Request) { answer(w, never, []string{hash}) })
	prefix := "/" + hash
	stripped := http.StripPrefix(prefix, named)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if strings.HasPrefix(r.URL.Path, prefix+"/") {
			stripped.ServeHTTP(w, r)
			return
		}
		plain.ServeHTTP(w, r)
	})
}

// routes returns the routes of the chain. What does not change is kept by caches as lasting says.
func (s *Server) routes(info Info, hash, lasting string) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /info", func(w http.ResponseWriter, _ *http.Request) {
		out := chainInfo{
			PublicKey: hex.EncodeToString(info.PublicKey), Period: int64(info.Period / time.Second), Genesis: info.Genesis.Unix(),
			Hash:      hash,
			GroupHash: hex.EncodeToString(info.GroupHash), Scheme: scheme,
		}
		out.Metadata.ID = info.ID
		if info.ID == "" {
			out.Metadata.ID = defaultID
		}
		answer(w, lasting, out)
	})
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		newest, _ := s.newest()
		answer(w, never, map[string]uint64{"current": newest, "expected": newest})
	})
	mux.HandleFunc("GET /public/latest", func(w http.ResponseWriter, _ *http.Request) { s.latest(w) })
	mux.HandleFunc("GET /public/{round}", func(w http.ResponseWriter, r *http.Request) {
		number, err := strconv.ParseUint(r.PathValue("round"), 10, 64)
		if err != nil {
			http.Error(w, "A round is a number.", http.StatusBadRequest)
			return
		}
		if number == 0 { // as with drand
			s.latest(w)
			return
		}
		s.round(w, number, lasting)
	})
	return mux
}

// chainInfo is drand's form of an Info.
type chainInfo struct {
	PublicKey string `json:"public_key"`
	Period    int64  `json:"period"`
	Genesis   int64  `json:"genesis_time"`
	Hash      string `json:"hash"`
	GroupHash string `json:"groupHash"`
	Scheme    string `json:"schemeID"`
	Metadata  struct {
		ID string `json:"beaconID"`
	} `json:"metadata"`
}

// newest returns the newest published round, 0 before the first, and the time until the next.
func (s *Server) newest() (number uint64, next time.Duration) {
	passed := s.Clock.Now().Sub(s.Genesis)
	if passed < 0 {
		return 0, -passed
	}
	return uint64(passed/s.Period) + 1, s.Period - passed%s.Period
}

func (s *Server) latest(w http.ResponseWriter) {
	number, next := s.newest()
	s.round(w, max(number, 1), fmt.Sprintf("public, must-revalidate, max-age=%d", next/time.Second))
}

// round answers with a round, at least 1.
func (s *Server) round(w http.ResponseWriter, number uint64, cache string) {
	if newest, _ := s.newest(); number > newest {
		w.Header().Set("Cache-Control", never)
		http.Error(w, "This round is not published yet.", http.StatusTooEarly)
		return
	}
	signature, err := s.Signer.Sign(number)
	if err != nil {
		w.Header().Set("Cache-Control", never)
		http.Error(w, "The round could not be signed.", http.StatusInternalServerError)
		return
	}
	randomness := sha256.Sum256(signature)
	answer(w, cache, publishedRound{Round: number, Randomness: hex.EncodeToString(randomness[:]), Signature: hex.EncodeToString(signature)})
}

// publishedRound is drand's form of a Round.
type publishedRound struct {
	Round      uint64 `json:"round"`
	Randomness string `json:"randomness"`
	Signature  string `json:"signature"`
}

func answer(w http.ResponseWriter, cache string, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", cache)
	_ = json.NewEncoder(w).Encode(value)
}
