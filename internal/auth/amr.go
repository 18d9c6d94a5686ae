package auth

import (
	"encoding/json"
	"time"
)

// proof is one entry of a session's amr list.
type proof struct {
	Method    string `json:"method"`
	Timestamp int64  `json:"timestamp"`
	Provider  string `json:"provider,omitempty"`
}

// withoutMethod takes the proofs by a method out of an amr list.
func withoutMethod(amr, method string) (string, error) {
	var all []proof
	if err := json.Unmarshal([]byte(amr), &all); err != nil {
		return "", err
	}
	kept := []proof{}
	for _, one := range all {
		if one.Method != method {
			kept = append(kept, one)
		}
	}
	return jsonText(kept)
}

// methodOf is the amr name of a factor's proof.
func methodOf(factorType string) string {
	if factorType == factorTOTP {
		return factorTOTP
	}
	return "mfa/" + factorType
}

// withMethod puts a new proof first.
func withMethod(amr, factorType string, now time.Time) (string, error) {
	rest, err := withoutMethod(amr, methodOf(factorType))
	if err != nil {
		return "", err
	}
	var all []proof
	if err := json.Unmarshal([]byte(rest), &all); err != nil {
		return "", err
	}
	return jsonText(append([]proof{{Method: methodOf(factorType), Timestamp: now.Unix()}}, all...))
}
