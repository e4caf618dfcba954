package draw

import "math"

// ChiSquare compares how often drops were drawn with their weights (Pearson's test). It returns the statistic, its degrees
// of freedom and the probability of one at least as large by chance; ok is false for fewer than two drops or no draw.
func ChiSquare(drawn, weights []int64) (statistic float64, degrees int, p float64, ok bool) {
	draws, total := int64(0), int64(0)
	for i := range drawn {
		draws += drawn[i]
		total += weights[i]
	}
	if len(drawn) < 2 || draws == 0 || total == 0 {
		return 0, 0, 0, false
	}
	for i, n := range drawn {
		expected := float64(draws) * float64(weights[i]) / float64(total)
		statistic += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	degrees = len(drawn) - 1
	return statistic, degrees, upperGamma(float64(degrees)/2, statistic/2), true
}

// Interval returns the 95 % confidence interval of a probability, given hits among draws (Wilson's score interval).
func Interval(hits, draws int64) (low, high float64) {
	if draws == 0 {
		return 0, 1
	}
	const z = 1.959964
	n, share := float64(draws), float64(hits)/float64(draws)
	centre := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, centre-half), min(1, centre+half)
}

// upperGamma returns the regularised upper incomplete gamma function Q(a, x): by its series below a+1, else by its
// continued fraction (Abramowitz and Stegun, 6.5.29 and 6.5.31).
func upperGamma(a, x float64) float64 {
	if x <= 0 {
		return 1
	}
	const steps, precision = 10_000, 1e-12
	logGamma, _ := math.Lgamma(a)
	scale := math.Exp(a*math.Log(x) - x - logGamma)
	if x < a+1 {
		term := 1 / a
		sum := term
		for n := 1.0; n < steps && term > sum*precision; n++ {
			term *= x / (a + n)
			sum += term
		}
		return max(0, 1-scale*sum)
	}
	b, c := x+1-a, 1e300
	d := 1 / b
	h := d
	for n := 1.0; n < steps; n++ {
		an := -n * (n - a)
		b += 2
		d = 1 / (an*d + b)
		c = b + an/c
		delta := c * d
		h *= delta
		if math.Abs(delta-1) < precision {
			break
		}
	}
	return scale * h
}
