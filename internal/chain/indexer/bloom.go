package indexer

import (
	"encoding/json"
	"math/bits"

	"pantheon/internal/kit/eth"
)

// bloom is the filter of a block's logs in its header: the addresses and topics of all its logs (Ethereum Yellow Paper,
// 4.3.1, M3:2048). It has no false negatives: what it lacks is in no log of the block.
type bloom [256]byte

// UnmarshalJSON never fails: some chains' headers have none.
func (b *bloom) UnmarshalJSON(text []byte) error {
	var data eth.Bytes
	if json.Unmarshal(text, &data) == nil && len(data) == len(b) {
		copy(b[:], data)
	}
	return nil
}

// probe is the three bits of an address or topic.
type probe [3]uint16

func probeOf(item []byte) (p probe) {
	hash := eth.Keccak256(item)
	for i := range p {
		p[i] = (uint16(hash[2*i])<<8 | uint16(hash[2*i+1])) & 2047
	}
	return p
}

func (b *bloom) has(p probe) bool {
	for _, bit := range p {
		if b[255-bit/8]&(1<<(bit%8)) == 0 {
			return false
		}
	}
	return true
}

func (b *bloom) hasAny(probes []probe) bool {
	for _, p := range probes {
		if b.has(p) {
			return true
		}
	}
	return len(probes) == 0 // an empty position of a filter matches any topic
}

func (b *bloom) add(p probe) {
	for _, bit := range p {
		b[255-bit/8] |= 1 << (bit % 8)
	}
}

// within reports whether all that is in b is in other.
func (b *bloom) within(other *bloom) bool {
	for i := range b {
		if b[i]&^other[i] != 0 {
			return false
		}
	}
	return true
}

// isDense reports whether more than half of the bits are set. Such a filter has almost anything in it.
func (b *bloom) isDense() bool {
	n := 0
	for _, v := range b {
		n += bits.OnesCount8(v)
	}
	return n > 4*len(b)
}

// bloomOf returns the filter of a block that has the logs.
func bloomOf(logs []entry) (b bloom) {
	for _, l := range logs {
		b.add(probeOf(l.Address[:]))
		for _, t := range l.Topics {
			b.add(probeOf(t[:]))
		}
	}
	return b
}

// probes are the bits of a filter's addresses and topics.
type probes struct {
	addresses []probe
	topics    [][]probe
}

func (f filter) probes() (p probes) {
	for _, a := range f.Addresses {
		p.addresses = append(p.addresses, probeOf(a[:]))
	}
	for _, position := range f.Topics {
		var any []probe
		for _, t := range position {
			any = append(any, probeOf(t[:]))
		}
		p.topics = append(p.topics, any)
	}
	return p
}

// lacks reports whether a block's filter has one of f's contracts with its events while no log of that contract is among
// the given ones of the block.
func (b *bloom) lacks(f filter, p probes, logs []entry) bool {
	for _, position := range p.topics {
		if !b.hasAny(position) {
			return false
		}
	}
	for i, a := range f.Addresses {
		if b.has(p.addresses[i]) && !hasLogOf(logs, a) {
			return true
		}
	}
	return false
}

func hasLogOf(logs []entry, a eth.Address) bool {
	for _, l := range logs {
		if l.Address == a {
			return true
		}
	}
	return false
}
