package rpc

import (
	"errors"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// at is an answer with the newest block and its age in seconds.
func at(head uint64, age int) probed {
	return probed{health: Health{Head: head, Age: time.Duration(age) * time.Second}}
}

func TestCompare_LaggingIsMoreThanTenSecondsAndTwoBlocksBehindTheMajority(t *testing.T) {
	t.Parallel()
	away := probed{err: ErrUnreachable}
	for name, test := range map[string]struct {
		probes []probed
		lags   []int
	}{
		"11 s and 3 blocks":                 {[]probed{at(97, 12), at(100, 1), at(100, 1)}, []int{0}},
		"10 s":                              {[]probed{at(60, 11), at(100, 1), at(100, 1)}, nil},
		"2 blocks, which are rare":          {[]probed{at(98, 30), at(100, 1), at(100, 1)}, nil},
		"behind one that is alone in front": {[]probed{at(60, 30), at(60, 30), at(100, 1)}, nil},
		"one counts far too many blocks":    {[]probed{at(100, 1), at(99, 20), at(140, 0)}, nil},
		"of two, the older":                 {[]probed{at(60, 30), at(100, 1)}, []int{0}},
		"of two that answer":                {[]probed{away, at(60, 30), at(100, 1)}, []int{1}},
		"one that answers":                  {[]probed{away, at(60, 300)}, nil},
	} {
		markLagging(test.probes)
		var lags []int
		for i, p := range test.probes {
			if errors.Is(p.err, errLags) {
				lags = append(lags, i)
			}
		}
		if len(lags) != len(test.lags) || len(lags) > 0 && lags[0] != test.lags[0] {
			t.Errorf("%s: %v lag, want %v", name, lags, test.lags)
		}
	}
}

func TestCompare_BlocksAreComparedFiveBelowTheLowestHead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		probes []probed
		want   uint64
		ok     bool
	}{
		{[]probed{at(100, 1), at(103, 1)}, 95, true}, {[]probed{at(3, 1), at(103, 1)}, 0, true},
		{[]probed{at(100, 1), {err: errLags}}, 95, false}, {[]probed{{err: errLags}}, 0, false},
	} {
		if got, ok := comparedBlock(test.probes); got != test.want || ok != test.ok {
			t.Errorf("%d, %t; want %d, %t", got, ok, test.want, test.ok)
		}
	}
}

func TestCompare_TheMajorityDecidesWhichBlockIsRight(t *testing.T) {
	t.Parallel()
	a, b, c := probed{hash: common.Hash{1}}, probed{hash: common.Hash{2}}, probed{hash: common.Hash{3}}
	for name, test := range map[string]struct {
		probes []probed
		forked []bool
	}{
		"two of three":     {[]probed{b, a, a}, []bool{true, false, false}},
		"one of two":       {[]probed{b, a}, []bool{false, true}},
		"all differ":       {[]probed{c, b, a}, []bool{false, true, true}},
		"the first is out": {[]probed{{err: ErrStale}, b, a}, []bool{false, false, true}},
		"half of four":     {[]probed{b, b, a, a}, []bool{false, false, true, true}},
	} {
		markForked(test.probes)
		for i, p := range test.probes {
			if errors.Is(p.err, errForked) != test.forked[i] {
				t.Errorf("%s: endpoint %d: %v", name, i+1, p.err)
			}
		}
	}
}

func TestCompare_Times(t *testing.T) {
	t.Parallel()
	if throttledWait != 500*time.Millisecond || cooldown != 10*time.Second {
		t.Errorf("%s, %s", throttledWait, cooldown)
	}
}
