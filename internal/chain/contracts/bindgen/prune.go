package main

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// identifiers returns the identifiers in the hand-written Go files below a folder. Code that does not compile yet, because
// bindings are missing, counts as well.
func identifiers(root string) (map[string]bool, error) {
	named := map[string]bool{}
	return named, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || e.Name() == ".git"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".gen.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(path, -1, len(text)), text, nil, 0)
		for {
			switch _, tok, name := s.Scan(); tok {
			case token.IDENT:
				named[name] = true
			case token.EOF:
				return nil
			}
		}
	})
}

// prune returns the code that abigen generated without the declarations that are neither named nor needed by those that
// are. A method counts as named if any method of its name is.
func prune(code string, named map[string]bool) (string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", code, parser.ParseComments)
	if err != nil {
		return "", err
	}
	kept, needed := map[ast.Decl]bool{}, map[string]bool{} // needed: names, and methods as Type.Method
	for grown := true; grown; {
		grown = false
		for _, d := range file.Decls {
			name, method := declared(d)
			if !kept[d] && (name == "" || named[name] || needed[method]) {
				kept[d], grown = true, true
				need(d, needed)
			}
		}
	}
	var out strings.Builder
	at := 0 // what precedes a declaration belongs to it
	for _, d := range file.Decls {
		end := files.Position(d.End()).Offset
		if kept[d] {
			out.WriteString(code[at:end])
		}
		at = end
	}
	return out.String() + "\n", nil
}

// declared returns the name that a declaration declares, "" for imports and references to them, and the name by which needed
// has it: Type.Method for a method.
func declared(d ast.Decl) (name, key string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			_, recv := receiver(d)
			return d.Name.Name, recv + "." + d.Name.Name
		}
		return d.Name.Name, d.Name.Name
	case *ast.GenDecl:
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			name = s.Name.Name
		case *ast.ValueSpec:
			name = strings.Trim(s.Names[0].Name, "_")
		}
	}
	return name, name
}

// need adds the names that a declaration uses.
func need(d ast.Decl, needed map[string]bool) {
	self, recv := "", ""
	f, isFunc := d.(*ast.FuncDecl)
	if isFunc && f.Recv != nil {
		self, recv = receiver(f)
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == self {
				needed[recv+"."+n.Sel.Name] = true
				return false
			}
		case *ast.Ident:
			if !isFunc || n != f.Name {
				needed[n.Name] = true
			}
		}
		return true
	})
}

// receiver returns the name and the type of a method's receiver.
func receiver(f *ast.FuncDecl) (name, typ string) {
	field := f.Recv.List[0]
	if len(field.Names) > 0 {
		name = field.Names[0].Name
	}
	t := field.Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	return name, t.(*ast.Ident).Name
}
