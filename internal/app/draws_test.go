package app

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestVerify_RepeatsTheDrawOfAReceipt(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../portal/draw/testdata/receipts.json")
	if err != nil {
		t.Fatal(err)
	}
	var receipts []string
	if err := json.Unmarshal(raw, &receipts); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := VerifyReceipt([]byte(receipts[25]+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The outcome follows from the receipt", "round    657413", "god, version 2", "drand quicknet"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
	forged := strings.Replace(receipts[25], `"number":`, `"number":1`, 1)
	if err := VerifyReceipt([]byte(forged), &out); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("a changed receipt: %v", err)
	}
}

func TestOdds_AreCheckedAndSimulated(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := CheckOdds(nil, &out); err != nil || !strings.Contains(out.String(), "Crown of Destiny") || !strings.Contains(out.String(), "0.0750 %") {
		t.Errorf("%v:\n%s", err, out.String())
	}
	out.Reset()
	if err := SimulateOdds(nil, 1000, &out); err != nil || strings.Count(out.String(), "of 1000,") != 3 {
		t.Errorf("%v:\n%s", err, out.String())
	}
	bad := "tables:\n  - {kind: hat, version: 1, from: 2026-01-01T00:00:00Z, total: 2, drops: [{id: hat, name: A hat, rarity: rare, weight: 1, gives: [{currency: fa, amount: 1}]}]}\n"
	if err := CheckOdds([]byte(bad), &out); err == nil || !strings.Contains(err.Error(), "hat 1: total: is 2, but the weights add up to 1") {
		t.Errorf("%v", err)
	}
}
