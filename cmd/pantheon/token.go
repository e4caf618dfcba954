package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"pantheon/internal/portal/operator"
)

type tokenCommands struct {
	List    tokenListCommand    `cmd:"" help:"Print tokens whose metadata could not be read, and why."`
	Show    tokenShowCommand    `cmd:"" help:"Print what is known of a token from its contract, and what is read next."`
	Refresh tokenRefreshCommand `cmd:"" help:"Fetch the metadata of a token again, or of all tokens of a contract."`
}

type tokenListCommand struct {
	Limit int `default:"50" help:"How many at most."`
	printing
}

// Run prints the tokens.
func (cmd tokenListCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		tokens, err := s.FailingTokens(ctx, cmd.Limit)
		if err != nil {
			return err
		}
		return cmd.print(con, tokens, func(out io.Writer) {
			table(out, func(line func(string, ...any)) {
				line("contract\ttoken\tname\tfailures\tnext\treason")
				for _, t := range tokens {
					line("%s\t%s\t%s\t%d\t%s\t%s", t.Contract.Checksum(), t.TokenID, t.Name, t.Failures, t.DueAt.Format(time.RFC3339), t.Reason)
				}
			})
		})
	})
}

type tokenShowCommand struct {
	Contract string `arg:"" help:"The contract's address."`
	Token    string `arg:"" help:"The token's id, decimal."`
	printing
}

// Run prints the token.
func (cmd tokenShowCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		t, err := s.Token(ctx, cmd.Contract, cmd.Token)
		if err != nil {
			return err
		}
		return cmd.print(con, t, func(out io.Writer) {
			table(out, func(line func(string, ...any)) {
				line("name\t%s", t.Name)
				line("uri\t%s", t.URI)
				line("picture\t%t", t.HasPicture)
				if !t.ReadAt.IsZero() {
					line("read\t%s", t.ReadAt.Format(time.RFC3339))
				}
				line("next\t%s, %s", t.Stage, t.DueAt.Format(time.RFC3339))
				if t.Reason != "" {
					line("failed\t%d times: %s", t.Failures, t.Reason)
				}
			})
		})
	})
}

type tokenRefreshCommand struct {
	Contract string `arg:"" help:"The contract's address."`
	Token    string `arg:"" optional:"" help:"The token's id, decimal; all of the contract's without one."`
	act
	printing
}

// Run queues the tokens for a refresh.
func (cmd tokenRefreshCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		n, err := s.RefreshTokens(ctx, cmd.Contract, cmd.Token, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, map[string]int64{"tokens": n}, func(out io.Writer) {
			_, _ = fmt.Fprintf(out, "%d tokens will be fetched again.\n", n)
		})
	})
}
