package trace

// Off records no spans from now on.
func Off() { on.Store(false) }
