package api

func (a *API) registerHoldings() {}
