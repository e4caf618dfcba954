package beacon

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"pantheon/internal/kit/clock"
)

// Server publishes the rounds of a Signer, each at its time.
type Server struct {
	Signer  *Signer
	Genesis time.Time     // when round 1 is published
	Period  time.Duration // between rounds
	Clock   clock.Clock
}

// Handler serves /public/{round} as drand's HTTP API does.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /public/{round}", s.round)
	return mux
}

func (s *Server) round(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.ParseUint(r.PathValue("round"), 10, 64)
	if err != nil || number == 0 {
		http.Error(w, "A round is a number from 1.", http.StatusBadRequest)
		return
	}
	if passed := s.Clock.Now().Sub(s.Genesis); passed < 0 || number > uint64(passed/s.Period)+1 {
		http.Error(w, "This round is not published yet.", http.StatusTooEarly)
		return
	}
	signature, err := s.Signer.Sign(number)
	if err != nil {
		http.Error(w, "The round could not be signed.", http.StatusInternalServerError)
		return
	}
	randomness := sha256.Sum256(signature)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"round": number, "randomness": hex.EncodeToString(randomness[:]), "signature": hex.EncodeToString(signature),
	})
}
