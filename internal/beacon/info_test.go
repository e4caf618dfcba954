package beacon

import (
	"encoding/hex"
	"testing"
	"time"
)

// The public chains of drand, as its client has them.
// Spec: DRAW-17
func TestInfo_HashIsDrands(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		info Info
		want string
	}{
		"quicknet": {
			Info{
				PublicKey: unhex(t, quicknetKey), Genesis: time.Unix(1692803367, 0), Period: 3 * time.Second, ID: "quicknet",
				GroupHash: unhex(t, "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"),
			},
			"52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
		},
		"quicknet-t": {
			Info{
				PublicKey: unhex(t, "b15b65b46fb29104f6a4b5d1e11a8da6344463973d423661bb0804846a0ecd1ef93c25057f1c0baab2ac53e56c662b66"+
					"072f6d84ee791a3382bfb055afab1e6a375538d8ffc451104ac971d2dc9b168e2d3246b0be2015969cbaac298f6502da"),
				Genesis: time.Unix(1689232296, 0), Period: 3 * time.Second, ID: "quicknet-t",
				GroupHash: unhex(t, "40d49d910472d4adb1d67f65db8332f11b4284eecf05c05c5eacd5eef7d40e2d"),
			},
			"cc9c398442737cbd141526600919edd69f1d6f9b4adb67e4d912fbc64341a9a5",
		},
		"default, whose scheme is another": {
			Info{
				PublicKey: unhex(t, "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31"),
				Genesis:   time.Unix(1595431050, 0), Period: 30 * time.Second, ID: "default",
				GroupHash: unhex(t, "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a"),
			},
			"8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
		},
	} {
		hash := c.info.Hash()
		if got := hex.EncodeToString(hash[:]); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
	named, unnamed := Info{ID: "default"}, Info{}
	if named.Hash() != unnamed.Hash() {
		t.Error(`a beacon without a name is not called "default"`)
	}
}
