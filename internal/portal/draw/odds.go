package draw

func Effective(weights []int64, lucky []bool, after int64) []float64 {
	return make([]float64, len(weights))
}
func Now(shares []float64, substitute []int) []float64 { return shares }

type Fit struct {
	Statistic float64
	Degrees   int
	P         float64
	Simulated bool
}
type Fits struct{}

func NewFits(seed [32]byte) *Fits                    { return &Fits{} }
func (f *Fits) Of(hits, weights []int64) (Fit, bool) { return Fit{}, false }
