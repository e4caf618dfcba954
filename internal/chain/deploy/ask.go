package deploy

import (
	"context"
	"errors"
	"math/big"
	"slices"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
)

// The roles of OpenZeppelin's AccessControl, which the marketplace has too. Who has extensionRole replaces the marketplace's code, and
// passes that on.
var (
	adminRole     eth.Hash
	minterRole    = eth.Keccak256([]byte("MINTER_ROLE"))
	extensionRole = eth.Keccak256([]byte("EXTENSION_ROLE"))
)

var yes = eth.Hash{31: 1}

// question is a call of the endpoint, and what follows from its answer: nil if the contract reverts. Without a method nothing is asked.
type question struct {
	method string
	args   []any
	judge  func(answer []byte)
	// answers is whether the answer is never empty, as of the contracts that we make.
	answers bool
}

// errInconsistent means that a contract whose code the endpoint has shown does not answer: the endpoint reads an older block.
var errInconsistent = errors.New("the endpoint's answers do not fit together: start again")

// view asks a contract's view function.
func (p *planner) view(to eth.Address, data []byte, judge func(answer []byte)) {
	ours := slices.ContainsFunc(p.w.Contracts, func(c Contract) bool { return c.Address == to && c.Deployment != nil })
	p.questions = append(p.questions, question{
		method: "eth_call", args: []any{map[string]any{"to": to, "data": eth.Bytes(data)}, p.at}, judge: judge, answers: ours && p.exists(to),
	})
}

// word asks a view that returns one word; the judge is called with zero if it does not.
func (p *planner) word(c Contract, judge func(word eth.Hash), signature string, args ...eth.Hash) {
	p.view(c.Address, contracts.Call(signature, args...), func(answer []byte) {
		if len(answer) != 32 {
			judge(eth.Hash{})
			return
		}
		judge(eth.Hash(answer))
	})
}

func (p *planner) address(c Contract, signature string, into *eth.Address) {
	p.word(c, func(word eth.Hash) { *into = eth.Address(word[12:]) }, signature)
}

// number asks for a number, and leaves it unchanged if the contract does not have one.
func (p *planner) number(c Contract, into *big.Int, signature string, args ...eth.Hash) {
	p.view(c.Address, contracts.Call(signature, args...), func(answer []byte) {
		if len(answer) == 32 {
			into.SetBytes(answer)
		}
	})
}

// then does something between the answers to the questions before and after it.
func (p *planner) then(do func()) {
	p.questions = append(p.questions, question{judge: func([]byte) { do() }})
}

// ask asks all questions, and judges the answers in the same order.
func (p *planner) ask() error {
	var batch []gethrpc.BatchElem
	answers, numbers := make([]eth.Bytes, len(p.questions)), make([]eth.Quantity, len(p.questions))
	for i, q := range p.questions {
		switch q.method {
		case "":
		case "eth_getBalance", "eth_getTransactionCount":
			batch = append(batch, gethrpc.BatchElem{Method: q.method, Args: q.args, Result: &numbers[i]})
		default:
			batch = append(batch, gethrpc.BatchElem{Method: q.method, Args: q.args, Result: &answers[i]})
		}
	}
	if err := callBatch(p.ctx, p.rpc, batch); err != nil {
		return err
	}
	n := 0
	for i, q := range p.questions {
		var answer []byte
		if q.method != "" {
			e := batch[n]
			n++
			_, reverted := txqueue.RevertData(e.Error)
			switch {
			case e.Error != nil && !reverted:
				return e.Error
			case e.Error != nil:
			case q.method != "eth_call":
				answer = numbers[i][:]
			case len(answers[i]) == 0 && q.answers:
				return errInconsistent
			default:
				answer = answers[i]
			}
		}
		q.judge(answer)
	}
	return nil
}

// callBatch makes calls in batches of what endpoints take.
func callBatch(ctx context.Context, rpc Caller, batch []gethrpc.BatchElem) error {
	for chunk := range slices.Chunk(batch, 50) {
		if err := rpc.BatchCallContext(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}
