package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"pantheon/internal/app"
	"pantheon/internal/brand"
)

type brandCommands struct {
	Check brandCheckCommand `cmd:"" help:"Check a brand's folder, and name every fault by its file."`
}

type brandCheckCommand struct {
	Folder string `arg:"" optional:"" type:"existingdir" help:"The brand's folder; else the brand that is compiled into this program."`
	printing
}

// Run checks the brand.
func (cmd brandCheckCommand) Run(con *console) error {
	b, err := brand.Embedded()
	if cmd.Folder != "" {
		b, err = brand.Load(os.DirFS(cmd.Folder))
	}
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
