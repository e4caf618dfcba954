package main

import (
	"errors"
	"io"
	"strings"

	"pantheon/internal/app"
	"pantheon/internal/brand"
)

type brandCommands struct {
	Init  brandInitCommand  `cmd:"" help:"Write a small, complete brand to begin with into a new folder."`
	Check brandCheckCommand `cmd:"" help:"Check a brand's folder, and name every fault by its file."`
}

type brandInitCommand struct {
	Folder string `arg:"" help:"The folder, which must be empty or not exist."`
	printing
}

// Run writes the brand.
func (cmd brandInitCommand) Run(con *console) error {
	if err := brand.Init(cmd.Folder); err != nil {
		return err
	}
	return cmd.print(con, map[string]string{"folder": cmd.Folder}, func(out io.Writer) {
		printf(out, "Wrote a brand to %s. Build it: make run BRAND=%s\n", cmd.Folder, cmd.Folder)
	})
}

type brandCheckCommand struct {
	Folder string `arg:"" optional:"" type:"existingdir" help:"The brand's folder; else the brand that is compiled into this program."`
	printing
}

// Run checks the brand.
func (cmd brandCheckCommand) Run(con *console) error {
	b, err := brand.Open(cmd.Folder)
	if err == nil {
		err = app.CheckBrand(b)
	}
	faults := []string{}
	if err != nil {
		faults = strings.Split(err.Error(), "\n")
	}
	if printErr := cmd.print(con, faults, func(out io.Writer) {
		for _, fault := range faults {
			printf(out, "%s\n", fault)
		}
		if len(faults) == 0 {
			printf(out, "The brand has no faults.\n")
		}
	}); printErr != nil {
		return printErr
	}
	if err != nil {
		return errors.New("the brand has faults")
	}
	return nil
}
