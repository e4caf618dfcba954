package reward

// PlayerMessage tells the player why a reward failed; "" if it has not. Reasons of failed transactions are too technical to
// show.
func (r Record) PlayerMessage() string {
	if r.State != Failed {
		return ""
	}
	for _, g := range r.Given {
		if g.State == Failed && g.Kind != KindCurrency {
			return "This could not be sent to your wallet. We are looking into it."
		}
	}
	return r.Error
}
