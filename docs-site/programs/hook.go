package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
)

func hook(response http.ResponseWriter, request *http.Request) {
	rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
	if err != nil || !isGenuine(request.Header.Get("X-Service-Signature"), rawBody, os.Getenv("WEBHOOK_SECRET")) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct{ ID, Type string }
	if err := json.Unmarshal(rawBody, &event); err != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	// Store the event, then answer.
	response.WriteHeader(http.StatusOK)
}
